import { Construct } from 'constructs';
import { backstageLabels, folderOf, SERVICES } from './paths';
import { teamVariables } from './team-variables';
import type { FluxDependency, FluxReference } from '../../gitops/flux-object';
import { Kustomization } from '../../gitops/kustomization';
import type { SubstituteSource } from '../../gitops/kustomization';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** How templates treat the client id of the team's identity, which is unknown at first. */
export enum ClientIdSubstitution {
  /** The templates do not use the client id: a `CredentialDelivery` delivers it. */
  NONE = 'none',
  /** Flux applies none of the team's objects until the client id exists. For templates that do not create the identity themselves. */
  REQUIRED = 'required',
  /**
   * The client id is empty until the next reconcile, so credentials are incomplete until then. For templates that work like that already.
   */
  OPTIONAL = 'optional',
}

/** How Flux applies a team's manifests from a Git repository. */
export interface TeamReconciliationProps {
  /** The team. */
  readonly team: TeamInEnvironment;
  /** The source of the manifests. */
  readonly source: FluxReference;
  /**
   * Folder in the source.
   * @default - `./services/<programme>/<namespace>/<environment>/<instance>`
   */
  readonly path?: string;
  /**
   * Name of the Kustomization.
   * @default - `<namespace>-base`
   */
  readonly name?: string;
  /**
   * How the templates treat the client id of the team's identity.
   * @default ClientIdSubstitution.NONE
   */
  readonly clientId?: ClientIdSubstitution;
  /**
   * Variables for the manifests besides the team's own (`TEAM_NAME`, `TEAM_NAMESPACE`, `TEAM_RG`, `SERVICE_CODE`, quotas).
   * @default - none
   */
  readonly variables?: { [name: string]: string };
  /**
   * ConfigMaps and Secrets in the platform's namespace with further variables.
   * @default - none
   */
  readonly variablesFrom?: SubstituteSource[];
  /**
   * Kustomizations that must be ready first.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Whether to add the labels by which Backstage finds the team.
   * @default false
   */
  readonly backstage?: boolean;
  /**
   * Interval at which Flux applies the manifests.
   * @default 3m
   */
  readonly interval?: string;
  /**
   * Timeout of applying.
   * @default 2m
   */
  readonly timeout?: string;
}

/** The Flux Kustomization of a team: applies the team's folder of the repository and substitutes the team's values for variables. */
export class TeamReconciliation extends Construct {
  /** The Kustomization, in the platform's namespace. */
  public readonly kustomization: Kustomization;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props team and source
   * @throws when a value is missing or malformed
   */
  public constructor(scope: Construct, id: string, props: TeamReconciliationProps) {
    super(scope, id);
    const { team } = props;
    this.kustomization = new Kustomization(this, 'Kustomization', {
      metadata: {
        name: props.name ?? `${team.namespace}-base`,
        namespace: team.environment.platformNamespace,
        ...(props.backstage ? { labels: backstageLabels(team) } : {}),
      },
      interval: props.interval ?? '3m',
      timeout: props.timeout ?? '2m',
      sourceRef: props.source,
      path: props.path ?? folderOf(team, SERVICES),
      ...(props.dependsOn && { dependsOn: props.dependsOn }),
      postBuild: {
        substitute: { ...teamVariables(team), ...props.variables },
        substituteFrom: [...clientIdSource(team, props.clientId), ...(props.variablesFrom ?? [])],
      },
    });
  }
}

function clientIdSource(team: TeamInEnvironment, clientId: ClientIdSubstitution = ClientIdSubstitution.NONE): SubstituteSource[] {
  if (clientId === ClientIdSubstitution.NONE) return [];
  return [{ name: team.environment.naming.teamIdentityExports(team), optional: clientId === ClientIdSubstitution.OPTIONAL }];
}
