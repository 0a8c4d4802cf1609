import { Construct } from 'constructs';
import { backstageLabels, folderOf, SERVICES } from './paths';
import { serviceVariables } from './team-variables';
import { FluxProvider } from '../../gitops/flux-object';
import type { FluxDependency, FluxReference } from '../../gitops/flux-object';
import { HelmRelease, ReconcileStrategy } from '../../gitops/helm-release';
import { ImagePolicy } from '../../gitops/image-policy';
import { ImageRepository } from '../../gitops/image-repository';
import { Kustomization } from '../../gitops/kustomization';
import type { SubstituteSource } from '../../gitops/kustomization';
import { omitUndefined } from '../../util/records';
import { PlatformProblems } from '../model/problems';
import { CONTAINER_REGISTRY } from '../model/shared-service-types';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** Longest name of a Helm release. */
const LONGEST_RELEASE = 53;

/** The image of a service, for which Flux selects the newest tag. */
export interface ServiceImage {
  /**
   * The image, without a tag.
   * @default - `<registry of the environment>.azurecr.io/image/<service>`
   */
  readonly image?: string;
  /**
   * Range of versions from which Flux selects the tag.
   * @default - `>=0.1.0-0`: all, including prereleases
   */
  readonly semver?: string;
  /**
   * Interval at which Flux lists the image's tags.
   * @default 3m0s
   */
  readonly interval?: string;
}

/** How Flux applies the Azure resources of a service from a Helm chart. */
export interface ServiceReconciliationProps {
  /** The team that owns the service. */
  readonly team: TeamInEnvironment;
  /** Name of the service. */
  readonly service: string;
  /** The source of the manifests that contain the release. */
  readonly source: FluxReference;
  /** Version of the service's chart. */
  readonly chartVersion: string;
  /** Values of the chart, e.g. made from the team's environment (examples/prefixed-platform). */
  readonly values: { [key: string]: any };
  /**
   * The source of the chart.
   * @default - the HelmRepository `<namespace>-helm-repo` of the platform's namespace
   */
  readonly chartSource?: FluxReference;
  /**
   * Folder in the source.
   * @default - `./services/<programme>/<namespace>/<service>/infra/<environment>/<instance>`
   */
  readonly path?: string;
  /**
   * Variables for the manifests besides the service's own (`SERVICE_NAME`, `SERVICE_CODE`, `TEAM_NAME`, `TEAM_NAMESPACE`, `TEAM_RG`).
   * @default - none
   */
  readonly variables?: { [name: string]: string };
  /**
   * ConfigMaps and Secrets in the platform's namespace with further variables.
   * @default - none
   */
  readonly variablesFrom?: SubstituteSource[];
  /**
   * Kustomizations that must be ready first, e.g. that of the team.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * The service's image.
   * @default - the image with the service's name, in the environment's registry
   */
  readonly image?: ServiceImage;
  /**
   * Whether to add the labels by which Backstage finds the service.
   * @default false
   */
  readonly backstage?: boolean;
}

/**
 * The Flux objects of a service: the Kustomization of its infrastructure, the Helm release with its Azure resources, and the policy that
 * selects the newest image.
 */
export class ServiceReconciliation extends Construct {
  /** The Kustomization. It is ready when the service's Azure resources are. */
  public readonly kustomization: Kustomization;
  /** The Helm release. */
  public readonly release: HelmRelease;
  /** The image repository. */
  public readonly imageRepository: ImageRepository;
  /** The policy that selects the newest tag. */
  public readonly imagePolicy: ImagePolicy;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props service, source, chart and values
   * @throws when a value is missing or malformed
   */
  public constructor(scope: Construct, id: string, props: ServiceReconciliationProps) {
    super(scope, id);
    assertProps(props);
    const { team, service } = props;
    const { environment, namespace } = team;
    const metadata = (name: string) => ({
      name,
      namespace: environment.platformNamespace,
      ...(props.backstage ? { labels: backstageLabels(team, service) } : {}),
    });
    const infra = `${service}-infra`;
    this.kustomization = new Kustomization(this, 'Kustomization', {
      metadata: metadata(infra),
      interval: '60m0s',
      retryInterval: '2m0s',
      timeout: '3m0s',
      force: true,
      wait: true,
      sourceRef: props.source,
      path: props.path ?? folderOf(team, SERVICES, service),
      ...(props.dependsOn && { dependsOn: props.dependsOn }),
      postBuild: omitUndefined({
        substitute: { ...serviceVariables(team, service), ...props.variables }, substituteFrom: props.variablesFrom,
      }),
    });
    this.release = new HelmRelease(this, 'Release', {
      metadata: metadata(infra),
      interval: '60m0s',
      chart: {
        chart: infra,
        version: props.chartVersion,
        reconcileStrategy: ReconcileStrategy.CHART_VERSION,
        sourceRef: props.chartSource ?? {
          kind: 'HelmRepository',
          name: `${namespace}-helm-repo`,
          namespace: environment.platformNamespace,
        },
      },
      releaseName: infra,
      targetNamespace: namespace,
      install: { createNamespace: true },
      values: props.values,
    });
    this.imageRepository = new ImageRepository(this, 'ImageRepository', {
      metadata: metadata(service),
      image: props.image?.image ?? `${registryOf(team)}.azurecr.io/image/${service}`,
      interval: props.image?.interval ?? '3m0s',
      provider: FluxProvider.AZURE,
    });
    this.imagePolicy = new ImagePolicy(this, 'ImagePolicy', {
      metadata: metadata([service, environment.name, environment.instance].filter(Boolean).join('-')),
      imageRepository: { name: service },
      semver: props.image?.semver ?? '>=0.1.0-0',
    });
  }
}

function registryOf({ environment }: TeamInEnvironment): string {
  const [registry] = environment._sharedOfType(CONTAINER_REGISTRY);
  return registry === undefined ? '' : environment.armIdOf(registry.resource).split('/').pop()!.toLowerCase();
}

function assertProps(props: ServiceReconciliationProps): void {
  const problems = new PlatformProblems(`Service '${props.service}' of '${props.team.namespace}'`);
  problems.require('service', props.service, 'Give the name of the service.');
  problems.require('chartVersion', props.chartVersion, 'Give the version of the service\'s chart, e.g. 1.4.2.');
  const release = `${props.service}-infra`;
  if (release.length > LONGEST_RELEASE) {
    problems.add(
      'service',
      `'${props.service}' gives the Helm release ${release}, which has more than ${LONGEST_RELEASE} characters. Shorten it.`,
    );
  }
  if (!props.image?.image && props.team.environment._sharedOfType(CONTAINER_REGISTRY).length === 0) {
    problems.add(
      'image.image',
      'required, for the environment has no container registry. Give the image, or SharedService.containerRegistry in the environment.',
    );
  }
  problems.throwIfAny();
}
