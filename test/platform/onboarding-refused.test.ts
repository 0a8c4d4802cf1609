// Messages of rejected props: each names the field and a remedy.
import { App, Chart } from 'cdk8s';
import { blue, BUS, environment, green, ledger, onboard } from './onboarding-fixture';
import { BuiltInRole } from 'cdk8s-aso';
import {
  ClusterMode,
  CredentialDelivery,
  DatabaseAdministrator,
  Environment,
  OnboardingPart,
  PlatformCredential,
  SelfServicePolicy,
  SharedService,
  Team,
  TeamIdentities,
  TeamOnboarding,
} from 'cdk8s-aso/platform';
import type { EnvironmentProps, TeamOverrides } from 'cdk8s-aso/platform';

const on = { azureResourceRef: { armId: '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/shared' } };
const role = BuiltInRole.READER;
const passive = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `c${i}`, oidcIssuerUrl: `https://issuer.example/${i}`, mode: ClusterMode.PASSIVE }));

test.each<[string, Partial<EnvironmentProps>, RegExp]>([
  ['no cluster', { clusters: [] }, /clusters: required/],
  [
    'two active clusters',
    { clusters: [blue, green] },
    /clusters: 'AKS-Blue' and 'AKS-Green' are active.*fight over.*Make exactly one active/,
  ],
  ['no active cluster', { clusters: passive(1) }, /clusters: none is active/],
  ['two clusters of a name', { clusters: [blue, { ...blue, mode: ClusterMode.PASSIVE }] }, /clusters\[1\]\.name: 'AKS-Blue' is another/],
  [
    'two clusters with an issuer',
    { clusters: [blue, { ...green, oidcIssuerUrl: blue.oidcIssuerUrl, mode: ClusterMode.PASSIVE }] },
    /clusters\[1\]\.oidcIssuerUrl: is that of cluster 'AKS-Blue' too/,
  ],
  [
    'an unknown mode',
    { clusters: [blue, { ...green, mode: 'asleep' as ClusterMode }] },
    /clusters\[1\]\.mode: 'asleep' is none of active, passive/,
  ],
  [
    'an operator with a bad name',
    { clusters: [{ ...blue, operatorServiceAccount: 'Aso' }] },
    /clusters\[0\]\.operatorServiceAccount: 'Aso' is no DNS label/,
  ],
  ['a region as the portal writes it', { location: 'UK South' }, /location: 'UK South' is no region.*'uksouth'/],
  ['a platform namespace with capitals', { platform: { namespace: 'Platform' } }, /platform\.namespace: 'Platform' is no DNS label/],
  ['an unknown workload identity', { workloadIdentity: 'lax' as never }, /workloadIdentity: 'lax' is none of relaxed, strict, both/],
  ['an unknown way of identities', { teamIdentities: 'some' as never }, /teamIdentities: 'some' is none of separate, shared/],
  ['a name that is a path', { name: '../prod' }, /name: "\.\.\/prod" has the character "\/", which no name in Azure may have/],
  ['an instance that is a path', { instance: '/..' }, /instance: "\/\.\." has the character "\/"/],
  ['a cluster whose name is a path', { clusters: [{ ...blue, name: '..' }] }, /clusters\[0\]\.name: "\.\." stands for another place/],
  ['an unknown removal', { groupRemoval: 'burn' as never }, /groupRemoval: 'burn' is none of/],
])('environment: %s', (_what, props, message) => expect(() => environment(props)).toThrow(message));

test('an environment says all that is wrong at once', () =>
  expect(() => new Environment({ name: '', subscriptionId: 'x', tenantId: '', location: '', clusters: [] })).toThrow(
    /name: [^]*subscriptionId: [^]*tenantId: [^]*location: [^]*clusters: /,
  ));

test.each(['kube-system', 'kube-x', 'default', 'flux-system', 'argocd', 'azureserviceoperator-system', 'aso-workload'])(
  'a team may not be called %s',
  (name) => expect(() => new Team({ name })).toThrow(new RegExp(`name: '${name}' is reserved: .* Give the team another name`)),
);

test.each<[string, Partial<EnvironmentProps>, RegExp]>([
  ["the operator's", { clusters: [{ ...blue, operatorNamespace: 'ledger' }] }, /namespace: 'ledger' is reserved: the operator runs there/],
  [
    "that of a passive cluster's operator",
    { clusters: [blue, { ...green, mode: ClusterMode.PASSIVE, operatorNamespace: 'ledger' }] },
    /the operator runs there/,
  ],
  [
    "the deployer's",
    { platform: { serviceAccounts: ['ledger:deployer'] } },
    /namespace: 'ledger' is reserved: a service account of the platform/,
  ],
  ['one that the environment reserves', { platform: { reservedNamespaces: ['ledger'] } }, /the environment reserves it/],
])('a team may not have a namespace that is %s', (_what, props, message) => expect(() => ledger.in(environment(props))).toThrow(message));

test.each<[string, TeamOverrides, RegExp]>([
  ['a namespace with capitals', { namespace: 'Ledger' }, /namespace: 'Ledger' is no DNS label/],
  ["the platform's namespace", { namespace: 'platform' }, /namespace: 'platform' is the platform's own/],
  [
    'a namespace of Kubernetes',
    { namespace: 'kube-system' },
    /namespace: 'kube-system' is reserved: names that begin with "kube-" belong to Kubernetes/,
  ],
  ['a namespace of Kubernetes that is not there yet', { namespace: 'kube-ledger' }, /namespace: 'kube-ledger' is reserved/],
  ['the namespace of objects without one', { namespace: 'default' }, /namespace: 'default' is reserved/],
  [
    'the namespace of the operator of another cluster',
    { namespace: 'azureserviceoperator-system' },
    /is reserved: Azure Service Operator runs there/,
  ],
  ["Flux's namespace", { namespace: 'flux-system' }, /is reserved: Flux runs there/],
  ["Argo CD's namespace", { namespace: 'argocd' }, /is reserved: Argo CD runs there/],
  ['a group with a point at its end', { resourceGroup: 'rg.' }, /resourceGroup: 'rg\.' is no name of a resource group/],
  ['megabytes', { quotas: { memory: '10MB' } }, /quotas\.memory: '10MB' is no quantity.*1000Mi/],
  ['a container that cannot start', { quotas: { containerMaxMemory: '10Mi' } }, /quotas\.containerMaxMemory: '10Mi' is less than the 256Mi/],
  ['a default above the maximum', { quotas: { containerMaxMemory: '300Mi' } }, /'300Mi' is less than the 512Mi that a container may use by default/],
  ['more memory requested than allowed', { quotas: { memory: '64Gi' } }, /quotas\.memoryLimit: '32Gi' is less than the 64Gi that the team may request/],
  ['load balancers below zero', { quotas: { loadBalancers: -1 } }, /quotas\.loadBalancers: '-1' is no number of load balancers.*0 for none/],
  ['half a claim', { quotas: { persistentVolumeClaims: 0.5 } }, /quotas\.persistentVolumeClaims: '0\.5' is no number/],
  ['no pods', { quotas: { pods: 0 } }, /quotas\.pods: '0' is no number/],
  ['a grant without a word', { grants: [{ id: 'My Grant', on, role }] }, /grants\[1\]\.id: 'My Grant' is no word/],
  ['two grants of a word', { grants: [{ id: 'a', on, role }, { id: 'a', on, role }] }, /grants\[2\]\.id: 'a' is another grant's id/],
  ['a grant on nothing', { grants: [{ id: 'a', on: undefined as never, role }] }, /grants\[1\]\.on: required/],
  [
    'a shared service that is not there',
    { uses: ['app-configuration'] },
    /uses\[1\]: environment 'dev' shares no 'app-configuration'\. It has service-bus, postgres: add it to shared\.services/,
  ],
  ['a shared service by a wrong name', { uses: ['postgre'] }, /uses\[1\]: .*shares no 'postgre'\. Did you mean 'postgres'\?/],
])('team: %s', (_what, overrides, message) => expect(() => ledger.in(environment(), overrides)).toThrow(message));

test('a team that uses a service for which no role is chosen', () =>
  expect(() => ledger.in(environment({ shared: { services: [SharedService.serviceBus({ resource: BUS })] } }))).toThrow(
    /uses\[0\]: .*which role teams get on 'service-bus'\. Give the shared service a role/,
  ));

test.each(['', 'Ledger', '-ledger', 'l'.repeat(64)])('a team called %j', (name) =>
  expect(() => new Team({ name })).toThrow(/name: .*no DNS label/),
);
test('a team whose label would be too long', () =>
  expect(() => new Team({ name: 'ledger', displayName: 'x'.repeat(64) })).toThrow(/displayName: .*63 characters/));

test.each<[string, Parameters<typeof onboard>[0], RegExp]>([
  ['an unknown cluster', { cluster: 'AKS-Red' }, /cluster: environment 'dev' has no cluster 'AKS-Red'\. Give one of 'AKS-Blue'/],
  ['an unknown part', { without: ['kitchen' as OnboardingPart] }, /without\[0\]: 'kitchen' is no part/],
  [
    'roles on shared services for a team that uses none',
    { team: new Team({ name: 'ledger' }).in(environment()), only: [OnboardingPart.SHARED_SERVICE_ROLES] },
    /uses: the part 'sharedServiceRoles' is asked for/,
  ],
  [
    'certificates that are nowhere',
    { only: [OnboardingPart.TRUSTED_CERTIFICATES] },
    /shared\.services: required: an App Configuration store[^]*shared\.trustedCertificates: required/,
  ],
  [
    'a database administrator who is not there',
    { only: [OnboardingPart.DATABASE_ADMINISTRATOR_FEDERATION] },
    /platform\.databaseAdministrator: required/,
  ],
  ['guard rails without a policy', { only: [OnboardingPart.GUARD_RAILS] }, /policy: required/],
  ['a client id that is none', { clientId: '' }, /clientId: '' is no UUID/],
  [
    'two ways to the client id',
    { clientId: 'de712ef4-797e-5591-bb0a-21d685538aa4', delivery: CredentialDelivery.controller() },
    /delivery: clientId is given too/,
  ],
  [
    'a delivery from an identity that is made elsewhere',
    { without: [OnboardingPart.IDENTITY] },
    /identity: is not made here.*Give the construct as identity, or its clientId/,
  ],
  [
    'more federated credentials than Azure takes',
    { of: environment({ clusters: [blue, ...passive(10)] }) },
    /environment\.clusters: 11 clusters with 2 federated credentials each are 22, and Azure lets an identity have 20/,
  ],
  [
    'more federated credentials on a shared identity',
    { of: environment({ clusters: [blue, ...passive(6)], teamIdentities: TeamIdentities.SHARED }) },
    /environment\.clusters: 7 clusters with 3 federated credentials each are 21,/,
  ],
  [
    'guard rails around an identity that pods can have',
    { of: environment({ teamIdentities: TeamIdentities.SHARED }), policy: SelfServicePolicy.ofComponents() },
    /environment\.teamIdentities: is 'shared': the identity with which the operator acts for the team trusts the team's own service account, so pods of the team pass all guard rails\. Make the identities separate/,
  ],
  [
    'an identity for pods where there is only one',
    { of: environment({ teamIdentities: TeamIdentities.SHARED }), only: [OnboardingPart.WORKLOAD_IDENTITY] },
    /environment\.teamIdentities: is 'shared', so the team's pods have the identity of the operator/,
  ],
  [
    'a client id of pods where there is only one identity',
    { of: environment({ teamIdentities: TeamIdentities.SHARED }), workloadClientId: 'de712ef4-797e-5591-bb0a-21d685538aa4' },
    /workloadClientId: the environment's identities are shared/,
  ],
  ['a client id of pods that is none', { workloadClientId: 'me' }, /workloadClientId: 'me' is no UUID/],
  [
    'a network that is none',
    { network: { fromNamespaces: ['A B'], to: [{ cidr: 'anywhere' }, { cidr: '10.0.0.0/8', ports: [0] }] } },
    /network\.fromNamespaces\[0\][^]*network\.to\[0\]\.cidr[^]*network\.to\[1\]\.ports\[0\]/,
  ],
])('onboarding: %s', (_what, props, message) => expect(() => onboard(props)).toThrow(message));

test.each<[string, TeamOverrides, RegExp]>([
  ['the namespace', { namespace: 'ledger' }, /namespace: 'ledger' of cluster 'AKS-Blue' is that of team 'ledger'/],
  [
    'the resource group, whatever its case',
    { resourceGroup: 'RG-ledger-dev' },
    /resourceGroup: 'RG-ledger-dev' is that of team 'ledger'.*Contributor of the whole group/,
  ],
])('a second team that takes %s of the first', (_what, overrides, message) => {
  const { chart } = onboard();
  const market = new Team({ name: 'market' });
  expect(() => new TeamOnboarding(chart, 'market', { team: market.in(environment(), overrides) })).toThrow(message);
});

test('a team that is onboarded twice; but each part once is fine', () => {
  const { chart, app } = onboard({ only: [OnboardingPart.NAMESPACE] });
  const again = { team: ledger.in(environment()) };
  expect(() => new TeamOnboarding(chart, 'again', { ...again, only: [OnboardingPart.NAMESPACE] })).toThrow(
    /namespace: 'ledger' is onboarded by another construct already, which makes namespace too/,
  );
  new TeamOnboarding(chart, 'rest', { ...again, without: [OnboardingPart.NAMESPACE] });
  expect(() => app.synthYaml()).not.toThrow();
});

test('a platform without its identity, a database administrator without one', () => {
  const chart = new Chart(new App(), 'chart');
  expect(() => new PlatformCredential(chart, 'credential', { environment: environment() })).toThrow(
    /\[chart\/credential\].*platform\.identityClientId: required/,
  );
  expect(() => new DatabaseAdministrator(chart, 'administrator', { environment: environment() })).toThrow(
    /databaseAdministrator: [^]*databaseAdministratorClientId: [^]*databaseAdministratorIdentity: /,
  );
});
