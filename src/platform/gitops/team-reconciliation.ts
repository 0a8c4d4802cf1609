import { Construct } from 'constructs';
import { backstageLabels, folderOf, SERVICES } from './paths';
import { teamVariables } from './team-variables';
import type { FluxDependency, FluxReference } from '../../gitops/flux-object';
import { Kustomization } from '../../gitops/kustomization';
import type { SubstituteSource } from '../../gitops/kustomization';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** What templates do about the client id of the team's identity, which is not there at first. */
export enum ClientIdSubstitution {
  /** They do not use it: the credential is delivered otherwise (`CredentialDelivery`). */
  NONE = 'none',
  /** Nothing of the team is applied before it is there. For templates that do not make the identity themselves. */
  REQUIRED = 'required',
  /**
   * It is an empty text until Flux looks again: credentials are half empty until then. What the model platform does; for taking it over
   * unchanged.
   */
  OPTIONAL = 'optional',
}

/** How Flux applies what a team has in a Git repository. */
export interface TeamReconciliationProps {
  /** The team. */
  readonly team: TeamInEnvironment;
  /** Where the files are. */
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
   * What the files' templates do about the client id of the team's identity.
   * @default ClientIdSubstitution.NONE
   */
  readonly clientId?: ClientIdSubstitution;
  /**
   * Variables of the files besides the team's own (`TEAM_NAME`, `TEAM_NAMESPACE`, `TEAM_RG`, `SERVICE_CODE`, quotas).
   * @default - none
   */
  readonly variables?: { [name: string]: string };
  /**
   * ConfigMaps and Secrets of the platform's namespace with further variables.
   * @default - none
   */
  readonly variablesFrom?: SubstituteSource[];
  /**
   * Kustomizations that have to be ready first.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Whether the labels by which Backstage finds the team are added.
   * @default false
   */
  readonly backstage?: boolean;
  /**
   * How often it is applied.
   * @default 3m
   */
  readonly interval?: string;
  /**
   * How long applying may take.
   * @default 2m
   */
  readonly timeout?: string;
}

/** The Flux Kustomization of a team: its folder of the repository, with the team's values in the place of variables. */
export class TeamReconciliation extends Construct {
  /** The Kustomization, in the platform's namespace. */
  public readonly kustomization: Kustomization;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props whose files are applied, and how
   * @throws when something is missing or malformed
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
      dependsOn: props.dependsOn,
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
