import { ARM_ID, flag, integer, list, map, PRIVATE_ACCESS, QUOTAS, SHORT, TAGS, text, TEXTS, type PrivateAccessSpec } from './common-fields';
import { DESCRIPTIONS } from './descriptions';
import { choice, struct, type Field, type FieldsOf } from './field';
import type {
  ExistingTeamIdentities, Grant, NetworkAccess, NetworkDestination, TeamOnboardingProps, TeamProps, TeamResourceGroup,
} from '../../platform';
import { Offboarding, OnboardingPart, TeamIdentity } from '../../platform';

/** A grant as data. */
export interface GrantSpec extends Omit<Grant, 'on' | 'role'> {
  /** ARM id of the scope of the role. */
  readonly on: string;
  /** Name of a built-in role, or the UUID or ARM id of a role definition. */
  readonly role: string;
}

/** The spec of a `Team`: the props of the team and choices of its onboarding, as data. */
export interface TeamSpec
  extends Omit<TeamProps, 'name' | 'namespace' | 'identities' | 'grants' | 'privateAccess'>,
  Pick<TeamOnboardingProps, 'only' | 'without' | 'clientId' | 'workloadClientId' | 'network' | 'namespaceLabels'> {
  /**
   * Name of the team.
   * @default - the name of the object, which is the team's namespace
   */
  readonly name?: string;
  /**
   * Name of the `Environment` object.
   * @default default
   */
  readonly environment?: string;
  /**
   * Identities that exist already, by ARM id.
   * @default - none: they are created
   */
  readonly identities?: { readonly [identity in keyof ExistingTeamIdentities]: string };
  /**
   * Private endpoints of the team's resources in a network of its own that exists already.
   * @default - those of the environment
   */
  readonly privateAccess?: PrivateAccessSpec;
  /**
   * Roles of the team's identities besides those on its own groups and on shared services.
   * @default - none
   */
  readonly grants?: readonly GrantSpec[];
}

const GROUP = { name: SHORT, location: SHORT, existing: flag() } satisfies FieldsOf<TeamResourceGroup>;

const GRANT = {
  id: SHORT,
  on: ARM_ID,
  role: text(2048),
  name: SHORT,
  condition: text(8192),
  to: choice(TeamIdentity),
} satisfies FieldsOf<GrantSpec>;

const DESTINATION = { cidr: SHORT, ports: list(integer()) } satisfies FieldsOf<NetworkDestination>;

const NETWORK = {
  fromNamespaces: TEXTS,
  to: list(struct(DESTINATION, DESCRIPTIONS.NetworkDestination!, ['cidr'])),
} satisfies FieldsOf<NetworkAccess>;

const IDENTITIES = { operator: ARM_ID, workload: ARM_ID } satisfies FieldsOf<ExistingTeamIdentities>;

const MEMBERS = {
  environment: SHORT,
  name: SHORT,
  displayName: SHORT,
  programme: SHORT,
  serviceCode: SHORT,
  groups: list(SHORT),
  tags: TAGS,
  resourceGroup: SHORT,
  subscriptionId: SHORT,
  location: SHORT,
  existingResourceGroup: flag(),
  resourceGroups: list(struct(GROUP, DESCRIPTIONS.TeamResourceGroup!, ['name'])),
  identities: struct(IDENTITIES, {
    operator: 'ARM id of the identity under which the operator acts for the team. '
    + 'No pod of the team may have it.',
    workload: 'ARM id of the identity of the team\'s pods.',
  }),
  privateAccess: PRIVATE_ACCESS,
  quotas: QUOTAS,
  uses: TEXTS,
  hostNames: TEXTS,
  grants: list(struct(GRANT, { ...DESCRIPTIONS.Grant!, ...DESCRIPTIONS.GrantSpec! }, ['id', 'on', 'role'])),
  offboarding: choice(Offboarding),
  only: list(choice(OnboardingPart)),
  without: list(choice(OnboardingPart)),
  clientId: SHORT,
  workloadClientId: SHORT,
  network: struct(NETWORK, DESCRIPTIONS.NetworkAccess!),
  namespaceLabels: map(text(63)),
} satisfies FieldsOf<TeamSpec>;

/**
 * The spec of a `Team`.
 * @param hasEnvironments whether environments are objects
 */
export function teamFields(hasEnvironments: boolean): Field {
  const { environment, ...others } = MEMBERS;
  return struct(
    hasEnvironments ? { environment, ...others } : others,
    { ...DESCRIPTIONS.TeamProps!, ...DESCRIPTIONS.TeamOnboardingProps!, ...DESCRIPTIONS.TeamSpec! },
  );
}
