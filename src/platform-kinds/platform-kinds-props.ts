import type { Chart } from 'cdk8s';
import type { RoleAssignmentNaming } from '../core';
import type { Environment, EnvironmentProps, ICredentialDelivery, PlatformPreset, SelfServicePolicy, Service, TeamOnboarding } from '../platform';
import type { Claim, ClaimSchema, ComposedKind, Composition, PrintColumn } from '../platform-api';
import type { EnvironmentSpec } from './schema/environment-fields';
import type { Field } from './schema/field';
import type { ServiceSpec } from './schema/service-fields';
import type { TeamSpec } from './schema/team-fields';

/** Names of a kind, and what kubectl shows of it. */
export interface KindOptions {
  /**
   * The kind.
   * @default - `Environment`, `Team`, `Service`
   */
  readonly kind?: string;
  /**
   * Plural, in lower case.
   * @default - the kind in lower case, with an `s` or what English asks for
   */
  readonly plural?: string;
  /**
   * Short names for kubectl.
   * @default - none
   */
  readonly shortNames?: readonly string[];
  /**
   * Categories of kubectl.
   * @default - none
   */
  readonly categories?: readonly string[];
  /**
   * Columns of `kubectl get`.
   * @default - subscription and region of an environment, environment and programme of a team
   */
  readonly columns?: readonly PrintColumn[];
}

/** A claim's spec with its name. */
export interface NamedSpec<Spec> {
  /** Name of the object. */
  readonly name: string;
  /** The spec, checked by the schema, with its defaults. */
  readonly spec: Spec;
}

/** A service's spec with its name and its team. */
export interface SpecOfService<Spec, SpecOfTeam> extends NamedSpec<Spec> {
  /** The team's namespace, which is the name of its object. */
  readonly namespace: string;
  /** The spec of the team's object. */
  readonly team: SpecOfTeam;
}

/**
 * Properties of the kinds of a platform.
 *
 * The type parameters are those of the fields that the platform adds to its kinds: they follow from the schemas.
 */
export interface PlatformKindsProps<TeamFields = object, ServiceFields = object, EnvironmentFields = object> {
  /** API group, a domain of your own, e.g. `platform.example.com`. */
  readonly group: string;
  /**
   * Version of the kinds.
   * @default v1
   */
  readonly version?: string;
  /**
   * The environment of all teams. There is no kind `Environment` then.
   * @default - teams name an `Environment` object; without a name it is that of the name `default`
   */
  readonly environment?: Environment;
  /**
   * Names, conventions and the other values that only TypeScript can give to the environments of `Environment` objects.
   * @default PlatformPreset.standard()
   */
  readonly preset?: PlatformPreset;
  /**
   * The self-service policy of all teams: each gets the guard rails, and the services that a team applies keep to its limits.
   * @default - none
   */
  readonly policy?: SelfServicePolicy;
  /**
   * How client ids reach the namespaces of teams, and the service accounts of services (`identity.serviceAccounts`).
   * @default CredentialDelivery.controller()
   */
  readonly delivery?: ICredentialDelivery;
  /**
   * Name of the cluster in which the composer runs. On a passive cluster all Azure objects only watch.
   * @default - the active one
   */
  readonly cluster?: string;
  /**
   * Azure names of role assignments.
   * @default - the operator's
   */
  readonly roleAssignmentNaming?: RoleAssignmentNaming;
  /**
   * Service account of the composer, as `namespace:name`. It is one of the platform's (`platform.serviceAccounts`), so that the guard rails
   * of teams let it write. A value of `environment` has to name it there itself if there is a `policy`.
   * @default cdk8s-aso-composer:composer
   */
  readonly composer?: string;
  /**
   * Service accounts of other namespaces, as `namespace:name`, that identities of services may trust.
   * @default - none: only those of the team's namespace
   */
  readonly trustedServiceAccounts?: readonly string[];
  /**
   * ARM ids of resources in shared services that the services of all teams may refer to, e.g. a certificate in a Front Door profile or an
   * elastic pool of a SQL server.
   * @default - those of the policy; without one, only what has the team's prefix
   */
  readonly sharedReferences?: readonly string[];
  /**
   * The kind of environments. It composes nothing: teams read its objects.
   * @default - `Environment`
   */
  readonly environmentKind?: KindOptions;
  /**
   * The kind of teams.
   * @default - `Team`
   */
  readonly teamKind?: KindOptions;
  /**
   * The kind of services.
   * @default - `Service`
   */
  readonly serviceKind?: KindOptions;
  /**
   * Further fields of the spec of a team, in a schema of any library that implements Standard JSON Schema: an object with named members,
   * none of which is a field already.
   * @default - none
   */
  readonly teamFields?: ClaimSchema<TeamFields>;
  /**
   * The team of a claim: the spec that the constructs get, e.g. with quotas that follow from a further field. Throw a `ClaimError` where
   * the claim is wrong. Services get their team of it, too.
   * @default - the spec of the claim
   */
  readonly teamSpec?: (claim: NamedSpec<TeamSpec & TeamFields>) => TeamSpec;
  /**
   * Further fields of the spec of a service, as `teamFields`.
   * @default - none
   */
  readonly serviceFields?: ClaimSchema<ServiceFields>;
  /**
   * The service of a claim: the spec that the constructs get, which may follow from further fields of the service and of its team. What a
   * service may reach is checked afterwards.
   * @default - the spec of the claim
   */
  readonly serviceSpec?: (claim: SpecOfService<ServiceSpec & ServiceFields, TeamSpec & TeamFields>) => ServiceSpec;
  /**
   * Further fields of the spec of an environment, as `teamFields`.
   * @default - none
   */
  readonly environmentFields?: ClaimSchema<EnvironmentFields>;
  /**
   * The environment of an `Environment` object: gets the properties that the data gives, and answers those of the construct. Here
   * belongs what data cannot say, such as shared services of your own (`SharedService.custom`) and the release of Azure Service Operator.
   * @default - the properties of the data
   */
  readonly environmentProps?: (props: EnvironmentProps, claim: NamedSpec<EnvironmentSpec & EnvironmentFields>) => EnvironmentProps;
  /**
   * Builds further constructs for a team, whose kinds `composes` has to list.
   * @default - none
   */
  readonly extendTeam?: (scope: Chart, claim: Claim<TeamSpec & TeamFields>, team: TeamOnboarding) => Composition | void;
  /**
   * Builds further constructs for a service, whose kinds `composes` has to list. They are the platform's: no limit of the team applies.
   * @default - none
   */
  readonly extendService?: (scope: Chart, claim: Claim<ServiceSpec & ServiceFields>, service: Service) => Composition | void;
  /**
   * Further kinds that teams or services compose: those of `extendTeam`, `extendService`, `delivery`, and of custom shared services.
   * @default - none
   */
  readonly composes?: readonly ComposedKind[];
}

/** Plurals of the kinds, as in URLs. */
export interface Plurals {
  readonly teams: string;
  readonly services: string;
}

/** The kinds of a platform by name, and what they share. */
export interface KindsContext {
  readonly props: PlatformKindsProps;
  /** Service account of the composer. */
  readonly composer: string;
  readonly version: string;
  readonly environmentKind: string;
  readonly teamKind: string;
  readonly serviceKind: string;
  readonly plurals: Plurals;
  /** Fields of the kinds, with those of the platform. */
  readonly fields: Readonly<Record<'environment' | 'team' | 'service', Field>>;
}

/** Reads an object of a kind, as `compose` may. */
export type ReadClaim = Claim<unknown>['read'];
