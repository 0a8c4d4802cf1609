import type { Claim } from './claims';
import { GROUP } from './definition';
import type { Answer, ClusterUser, NamedObject } from '../cluster-user';

/** An attempt of a user of team `fin` on claims, and on what the composer keeps for them. */
export interface ClaimAttack {
  readonly what: string;
  readonly attempt: (user: ClusterUser) => Promise<Answer>;
  /** A part of the refusal for a user with every right in the namespace. */
  readonly refusedBy: string | RegExp;
}

const COMPOSER = 'cdk8s-aso-composer';
const named = (apiVersion: string, kind: string, name: string, namespace?: string): NamedObject => (
  { apiVersion, kind, metadata: { name, namespace } });
const RBAC = 'rbac.authorization.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const CRDS = 'apiextensions.k8s.io/v1';
const ofPlatform = (kind: Claim['kind'], name: string, namespace?: string): NamedObject => named(`${GROUP}/v1`, kind, name, namespace);
const fresh = (kind: Claim['kind'], name: string, namespace?: string): NamedObject => ({ ...ofPlatform(kind, name, namespace), spec: {} } as NamedObject);
const claim = ofPlatform('Service', 'orders', 'fin');
const byRole = (verb: string, resource: string) => new RegExp(`User "\\w+" cannot ${verb} resource "${resource}"`);
/** An attempt on an object of others: roles alone are in the way. */
const beyond = (what: string, verb: string, resource: string, attempt: ClaimAttack['attempt']): ClaimAttack => (
  { what, attempt, refusedBy: byRole(verb, resource) });
const guarded = (what: string, limit: string, attempt: ClaimAttack['attempt']): ClaimAttack => (
  { what, attempt, refusedBy: `[self-service-${limit}]` });
const wider = { spec: { quotas: { cpu: 1000 } } };
const environment = ofPlatform('Environment', 'default');
const own = ofPlatform('Team', 'fin');
const other = ofPlatform('Team', 'hr');
const theirs = ofPlatform('Service', 'people', 'hr');
const identity = named('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'fin--orders', 'platform');

export const CLAIM_ATTACKS: readonly ClaimAttack[] = [
  // Its own team, other teams, the environment.
  beyond('a higher quota for its own team', 'patch', 'teams', (user) => user.patch(own, wider)),
  beyond(
    'another group in its own team', 'patch', 'teams',
    (user) => user.apply({ ...own, spec: { groups: ['everybody'] } } as NamedObject),
  ),
  beyond('the same by a dry run', 'patch', 'teams', (user) => user.apply({ ...own, spec: {} } as NamedObject, { dryRun: true })),
  beyond('deleting its own team', 'delete', 'teams', (user) => user.delete(own)),
  beyond('deleting all teams at once', 'deletecollection', 'teams', (user) => user.deleteAll(own)),
  beyond(
    'the status of its team, by which the composer deletes', 'patch', 'teams/status',
    (user) => user.patch(own, { status: { objects: [] } }, 'status'),
  ),
  beyond('its team without the finalizer', 'patch', 'teams', (user) => user.patch(own, { metadata: { finalizers: null } })),
  beyond(
    'its team as no ApplySet', 'patch', 'teams',
    (user) => user.patch(own, { metadata: { labels: { 'applyset.kubernetes.io/id': null } } }),
  ),
  beyond('a new team', 'create', 'teams', (user) => user.create(fresh('Team', 'mine'))),
  beyond("reading another team's claim", 'get', 'teams', (user) => user.get(other)),
  beyond('a list of all teams', 'list', 'teams', (user) => user.list(own)),
  beyond("another team's quota", 'patch', 'teams', (user) => user.patch(other, wider)),
  beyond('deleting another team', 'delete', 'teams', (user) => user.delete(other)),
  beyond(
    'another subscription for the environment', 'patch', 'environments',
    (user) => user.patch(environment, { spec: { subscriptionId: 'x' } }),
  ),
  beyond(
    'its own group as that of the platform', 'patch', 'environments',
    (user) => user.patch(environment, { spec: { platform: { groups: ['entra-fin'] } } }),
  ),
  beyond('deleting the environment', 'delete', 'environments', (user) => user.delete(environment)),
  beyond('an environment of its own', 'create', 'environments', (user) => user.create(fresh('Environment', 'mine'))),
  beyond('reading the environment', 'get', 'environments', (user) => user.get(environment)),
  // Services of other namespaces.
  beyond("a service in another team's namespace", 'create', 'services', (user) => user.create(fresh('Service', 'spy', 'hr'))),
  beyond("a service in the platform's namespace", 'create', 'services', (user) => user.create(fresh('Service', 'spy', 'platform'))),
  beyond('a service in a namespace of no team', 'create', 'services', (user) => user.create(fresh('Service', 'spy', 'default'))),
  beyond("reading another team's service", 'get', 'services', (user) => user.get(theirs)),
  beyond("a list of all teams' services", 'list', 'services', (user) => user.list(theirs)),
  beyond("changing another team's service", 'patch', 'services', (user) => user.patch(theirs, { spec: { queues: [] } })),
  beyond("deleting another team's service", 'delete', 'services', (user) => user.delete(theirs)),
  // Objects that the composer keeps elsewhere, and the composer itself.
  beyond(
    "the identity of its service in the platform's namespace", 'patch', 'userassignedidentities',
    (user) => user.patch(identity, { spec: { azureName: 'id-hr-dev' } }),
  ),
  beyond('deleting that identity', 'delete', 'userassignedidentities', (user) => user.delete(identity)),
  beyond('reading that identity', 'get', 'userassignedidentities', (user) => user.get(identity)),
  beyond(
    'the right of all teams on claims', 'patch', 'clusterroles',
    (user) => user.patch(named(RBAC, 'ClusterRole', `teams.${GROUP}-fin`), { rules: [] }),
  ),
  beyond(
    "the composer's rights", 'patch', 'clusterroles',
    (user) => user.patch(named(RBAC, 'ClusterRole', 'composer.cdk8s-aso-composer'), { rules: [] }),
  ),
  beyond(
    'the guard of the composer', 'delete', 'validatingadmissionpolicies',
    (user) => user.delete(named(ADMISSION, 'ValidatingAdmissionPolicy', 'composer.cdk8s-aso-composer')),
  ),
  beyond(
    'the guard rails of its team', 'delete', 'validatingadmissionpolicybindings',
    (user) => user.delete(named(ADMISSION, 'ValidatingAdmissionPolicyBinding', 'self-service-fin')),
  ),
  beyond(
    'another composer for the kind', 'patch', 'customresourcedefinitions',
    (user) => user.patch(named(CRDS, 'CustomResourceDefinition', `services.${GROUP}`), { metadata: { annotations: { 'aso.cdk8s.io/definition': 'fin/mine' } } }),
  ),
  beyond(
    "a token of the composer's service account", 'create', 'serviceaccounts/token',
    (user) => user.kubectl(['create', 'token', 'composer', '-n', COMPOSER]),
  ),
  beyond('the bundle of the definition', 'list', 'configmaps', (user) => user.list(named('v1', 'ConfigMap', '', COMPOSER), COMPOSER)),
  beyond(
    'a pod in the namespace of the composer', 'create', 'pods',
    (user) => user.create({ ...named('v1', 'Pod', 'mine', COMPOSER), spec: { serviceAccountName: 'composer', containers: [{ name: 'c', image: 'x' }] } } as NamedObject),
  ),
  // Its own service.
  guarded('an inventory of its own, by which the composer deletes', 'status', (user) => user.patch(claim, {
    status: { objects: [{ kind: 'Secret', namespace: 'hr', name: 'aso-credential', wave: 0 }] },
  }, 'status')),
  guarded('an empty inventory, so that nothing is deleted', 'status', (user) => user.patch(claim, { status: { objects: [] } }, 'status')),
  guarded(
    'a status that is Ready', 'status',
    (user) => user.apply({ ...claim, status: { conditions: [] } } as NamedObject, { subresource: 'status' }),
  ),
  guarded(
    'its service without the finalizer, so that its identity and roles stay', 'claim',
    (user) => user.patch(claim, { metadata: { finalizers: null } }),
  ),
  guarded('another finalizer in the place of it', 'claim', (user) => user.patch(claim, { metadata: { finalizers: ['example.com/mine'] } })),
  guarded('the rollout of a definition past its service', 'claim', (user) => user.patch(claim, {
    metadata: { annotations: { 'aso.cdk8s.io/continue-rollout': '0123456789abcdef' } },
  })),
  guarded('a new service past which every rollout goes', 'claim', (user) => user.create({
    ...claim, metadata: { name: 'past', namespace: 'fin', annotations: { 'aso.cdk8s.io/continue-rollout': '0123456789abcdef' } }, spec: {},
  } as NamedObject)),
  guarded(
    'more rights on claims for its team', 'platform-object',
    (user) => user.patch(named(RBAC, 'Role', `services.${GROUP}`, 'fin'), { rules: [] }),
  ),
  guarded('claims for others in its namespace', 'platform-object', (user) => user.patch(named(RBAC, 'RoleBinding', `services.${GROUP}`, 'fin'), {
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
  })),
];
