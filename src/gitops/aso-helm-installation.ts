import { Construct } from 'constructs';
import type { CrdPattern } from './crd-pattern';
import type { FluxDependency } from './flux-object';
import { HelmRelease } from './helm-release';
import { HelmRepository } from './helm-repository';
import { PropChecks } from './prop-checks';
import { UUID } from '../azure/uuid';
import { omitUndefined } from '../util/records';

const CHARTS = 'https://raw.githubusercontent.com/Azure/azure-service-operator/main/v2/charts';
const VERSION = /^v?\d+\.\d+\.\d+([-+].+)?$/;

/** The credential for namespaces without one of their own. */
export interface AsoGlobalCredential {
  /** The Entra tenant, a UUID. */
  readonly tenantId: string;
  /** The subscription, a UUID. */
  readonly subscriptionId: string;
  /** Client id of the identity that trusts the operator's service account, a UUID. */
  readonly clientId: string;
}

/** How Azure Service Operator is installed. */
export interface AsoHelmInstallationProps {
  /** Namespace of the Flux objects. */
  readonly namespace: string;
  /** Version of the chart, e.g. `2.13.0`. */
  readonly version: string;
  /** Which CRDs are installed. */
  readonly crdPattern: CrdPattern;
  /**
   * Namespace of the operator.
   * @default azureserviceoperator-system
   */
  readonly operatorNamespace?: string;
  /**
   * Name of the HelmRelease.
   * @default azure-service-operator
   */
  readonly name?: string;
  /**
   * Name of the HelmRepository.
   * @default - the name of the HelmRelease
   */
  readonly repositoryName?: string;
  /**
   * URL of the Helm repository.
   * @default - the repository of Azure Service Operator
   */
  readonly repositoryUrl?: string;
  /**
   * Interval at which Flux fetches the repository's index.
   * @default 24h
   */
  readonly repositoryInterval?: string;
  /**
   * Interval at which Flux reconciles the release.
   * @default 5m
   */
  readonly interval?: string;
  /**
   * HelmReleases that must be ready first, e.g. cert-manager if a HelmRelease installs it.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * The credential for namespaces without one of their own.
   * @default - none: objects in a namespace without a credential are not reconciled
   */
  readonly credential?: AsoGlobalCredential;
  /**
   * Further values of the chart.
   * @default - none
   */
  readonly values?: { [key: string]: any };
}

/**
 * Installs Azure Service Operator from its Helm chart with Flux: a HelmRepository and a HelmRelease.
 * @see https://azure.github.io/azure-service-operator/guide/crd-management/
 */
export class AsoHelmInstallation extends Construct {
  /** The release. */
  public readonly release: HelmRelease;
  /** The repository with the chart. */
  public readonly repository: HelmRepository;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the chart's version, the CRDs to install, the credential
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: AsoHelmInstallationProps) {
    super(scope, id);
    assertProps(scope, id, props);
    const { namespace, name = 'azure-service-operator' } = props;
    this.repository = new HelmRepository(this, 'Repository', {
      metadata: { name: props.repositoryName ?? name, namespace },
      url: props.repositoryUrl ?? CHARTS,
      interval: props.repositoryInterval ?? '24h',
    });
    this.release = new HelmRelease(this, 'Release', {
      metadata: { name, namespace },
      interval: props.interval ?? '5m',
      chart: { chart: 'azure-service-operator', version: props.version, sourceRef: this.repository.reference },
      releaseName: 'azure-service-operator',
      targetNamespace: props.operatorNamespace ?? 'azureserviceoperator-system',
      install: { createNamespace: true },
      ...(props.dependsOn && { dependsOn: props.dependsOn }),
      values: { ...credentialValues(props.credential), crdPattern: props.crdPattern._late, ...props.values },
    });
  }
}

function assertProps(scope: Construct, id: string, props: AsoHelmInstallationProps): void {
  const checks = new PropChecks(scope, id);
  checks.require('namespace', props.namespace, 'Give the namespace of the Flux objects.');
  if (props.namespace) checks.namespace('namespace', props.namespace);
  checks.require('version', props.version, 'Give the version of the chart, e.g. 2.13.0: the newest one may have other CRDs tomorrow.');
  if (props.version && !VERSION.test(props.version)) checks.add('version', `'${props.version}' is no version. Give one, e.g. 2.13.0.`);
  checks.require('crdPattern', props.crdPattern, 'Give CrdPattern.fromGroups([…]) or CrdPattern.kindsIn(app).');
  for (const [field, value] of Object.entries(omitUndefined(props.credential ?? {}))) {
    if (!UUID.test(value as string)) checks.add(`credential.${field}`, `'${value as string}' is no UUID. Give the id as Azure shows it.`);
  }
  checks.throwIfAny();
}

/** The chart requires the three ids, empty if there is no credential. */
function credentialValues(credential: AsoGlobalCredential | undefined): object {
  return {
    azureTenantID: credential?.tenantId ?? '',
    azureSubscriptionID: credential?.subscriptionId ?? '',
    azureClientID: credential?.clientId ?? '',
    ...(credential ? { useWorkloadIdentityAuth: true } : {}),
  };
}
