import { App, Chart, Duration, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { chart, findings, group, identity, ResourceGroup, synth, Identity, SUBSCRIPTION } from './kinds';
import { assertions, AzureReference, ConfigMapValue, OwnerGraph, WorkloadIdentity, WorkloadIdentityOptions } from '../../src';
import { Catalog } from '../../src/catalog';
import { ManagedCluster } from '../../src/services/containerservice';

const { Match, Template } = assertions;

const federation = Catalog.default().kind('managedidentity.azure.com', 'FederatedIdentityCredential')!;

const ISSUER = 'https://uksouth.oic.prod-aks.azure.com/tenant/cluster/';
const CLIENT = 'c2a3f0c1-2f4e-4b0d-9e9e-0a6a1f1f0001';
const IDENTITY_ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared/providers/Microsoft.ManagedIdentity/userAssignedIdentities/app`;

/** `resourceName` of cdk8s-plus's class may be undefined, that of its interface may not: the two differ only by the compiler option. */
const account = (scope: Chart, id = 'app') =>
  new kplus.ServiceAccount(scope, `${id}-account`) as kplus.ServiceAccount & kplus.IServiceAccount;
const deployment = (scope: Chart, id = 'app', props: kplus.DeploymentProps = {}) =>
  new kplus.Deployment(scope, id, { serviceAccount: account(scope, id), containers: [{ name: 'main', image: 'app' }], ...props });

const podOf = (scope: Chart, kind = 'Deployment') => synth(scope).find((object) => object.kind === kind).spec.template;
const only = (scope: Chart, kind: string) => {
  const found = synth(scope).filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
};
const fromConfig = (name: string, key: string) => ({ name, valueFrom: { configMapKeyRef: { name: 'app-id-outputs', key } } });

describe('with the webhook', () => {
  test('label and client id from the identity\'s ConfigMap, and nothing that the webhook gives', () => {
    const scope = chart();
    WorkloadIdentity.bind(deployment(scope), { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER });
    const { metadata, spec } = podOf(scope);
    expect(metadata.labels['azure.workload.identity/use']).toBe('true');
    expect(metadata.annotations).toBeUndefined();
    expect(spec.containers[0].env).toEqual([fromConfig('AZURE_CLIENT_ID', 'clientId')]);
    expect(spec.volumes).toBeUndefined();
    expect(only(scope, 'ServiceAccount').metadata.annotations).toBeUndefined();
    expect(only(scope, 'UserAssignedIdentity').spec.operatorSpec.configMaps).toEqual({ clientId: { name: 'app-id-outputs', key: 'clientId' } });
  });

  test('known ids go to the service account as well', () => {
    const scope = chart();
    WorkloadIdentity.bind(deployment(scope), {
      identity: AzureReference.fromArmId(IDENTITY_ID),
      issuer: ISSUER,
      clientId: CLIENT,
      tenantId: SUBSCRIPTION,
      authorityHost: 'https://login.microsoftonline.us/',
    });
    expect(only(scope, 'ServiceAccount').metadata.annotations).toEqual({
      'azure.workload.identity/client-id': CLIENT,
      'azure.workload.identity/tenant-id': SUBSCRIPTION,
    });
    expect(podOf(scope).spec.containers[0].env).toEqual([
      { name: 'AZURE_CLIENT_ID', value: CLIENT },
      { name: 'AZURE_TENANT_ID', value: SUBSCRIPTION },
      { name: 'AZURE_AUTHORITY_HOST', value: 'https://login.microsoftonline.us/' },
    ]);
    expect(only(scope, 'FederatedIdentityCredential').spec.owner).toEqual({ armId: IDENTITY_ID });
  });

  test('an account of somebody else\'s stays as it is', () => {
    const scope = chart();
    const serviceAccount = kplus.ServiceAccount.fromServiceAccountName(scope, 'theirs', 'runner');
    const { federatedCredential, subject } = WorkloadIdentity.bind(deployment(scope, 'app', { serviceAccount }), {
      identity: AzureReference.fromArmId(IDENTITY_ID),
      issuer: ISSUER,
      clientId: CLIENT,
    });
    expect(subject).toBe('system:serviceaccount:platform:runner');
    expect(federatedCredential?.toJson().spec.subject).toBe(subject);
  });

  test('one account does not stand for two client ids', () => {
    const scope = chart();
    const serviceAccount = account(scope);
    const options: WorkloadIdentityOptions = { identity: AzureReference.fromArmId(IDENTITY_ID), issuer: ISSUER, clientId: CLIENT };
    WorkloadIdentity.bind(deployment(scope, 'one', { serviceAccount }), options);
    WorkloadIdentity.bind(deployment(scope, 'two', { serviceAccount }), { ...options, clientId: CLIENT.toUpperCase() });
    expect(() => WorkloadIdentity.bind(deployment(scope, 'three', { serviceAccount }), { ...options, clientId: SUBSCRIPTION }))
      .toThrow(`[chart/three] the service account has the annotation azure.workload.identity/client-id '${CLIENT.toUpperCase()}', not '${SUBSCRIPTION}'.`);
  });

  test('only the chosen containers', () => {
    const scope = chart();
    const workload = deployment(scope, 'app', {
      containers: [
        { name: 'main', image: 'a' },
        { name: 'proxy', image: 'b' },
      ],
      initContainers: [{ name: 'setup', image: 'c' }],
    });
    WorkloadIdentity.bind(workload, {
      identity: identity(scope, 'app-id', group(scope)),
      issuer: ISSUER,
      containers: [workload.containers[0]!],
      tokenLifetime: Duration.hours(2),
    });
    workload.addContainer({ name: 'late', image: 'd' });
    const { metadata, spec } = podOf(scope);
    expect(metadata.annotations).toEqual({
      'azure.workload.identity/skip-containers': 'setup;proxy',
      'azure.workload.identity/service-account-token-expiration': '7200',
    });
    expect(spec.containers.map(({ env }: { env: unknown }) => env !== undefined)).toEqual([true, false, false]);
    expect(spec.initContainers[0].env).toBeUndefined();
  });
});

describe('without the webhook', () => {
  const bound = (more: Partial<WorkloadIdentityOptions> = {}) => {
    const scope = chart();
    const workload = deployment(scope, 'app', { initContainers: [{ name: 'setup', image: 'c' }] });
    workload.containers[0]!.mount('/tmp/x', kplus.Volume.fromEmptyDir(scope, 'tmp', 'tmp', { sizeLimit: Size.mebibytes(5) }));
    WorkloadIdentity.bind(workload, { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER, webhook: false, ...more });
    return scope;
  };

  test('the manifest has all that the webhook would give', () => {
    const scope = bound();
    const { metadata, spec } = podOf(scope);
    expect(Object.keys(metadata.labels)).toEqual(['cdk8s.io/metadata.addr']);
    expect(spec.volumes).toEqual([
      { name: 'tmp', emptyDir: { sizeLimit: '5Mi' } },
      {
        name: 'azure-identity-token',
        projected: {
          sources: [
            { serviceAccountToken: { audience: 'api://AzureADTokenExchange', expirationSeconds: 3600, path: 'azure-identity-token' } },
          ],
        },
      },
    ]);
    for (const { env, volumeMounts } of [...spec.containers, ...spec.initContainers]) {
      expect(env).toEqual([
        fromConfig('AZURE_CLIENT_ID', 'clientId'), fromConfig('AZURE_TENANT_ID', 'tenantId'),
        { name: 'AZURE_AUTHORITY_HOST', value: 'https://login.microsoftonline.com/' },
        { name: 'AZURE_FEDERATED_TOKEN_FILE', value: '/var/run/secrets/azure/tokens/azure-identity-token' },
      ]);
      expect(volumeMounts).toContainEqual({ name: 'azure-identity-token', mountPath: '/var/run/secrets/azure/tokens', readOnly: true });
    }
  });

  test('other clouds', () => {
    const scope = bound({
      audience: 'api://AzureADTokenExchangeUSGov',
      authorityHost: 'https://login.microsoftonline.us/',
      tokenLifetime: Duration.hours(24),
    });
    expect(podOf(scope).spec.volumes[1].projected.sources[0].serviceAccountToken).toMatchObject({
      audience: 'api://AzureADTokenExchangeUSGov',
      expirationSeconds: 86400,
    });
    expect(only(scope, 'FederatedIdentityCredential').spec.audiences).toEqual(['api://AzureADTokenExchangeUSGov']);
  });

  test.each<[string, (scope: Chart, serviceAccount: kplus.IServiceAccount) => kplus.AbstractPod]>([
    ['Pod', (scope, serviceAccount) => new kplus.Pod(scope, 'w', { serviceAccount, containers: [{ image: 'a' }] })],
    [
      'StatefulSet',
      (scope, serviceAccount) =>
        new kplus.StatefulSet(scope, 'w', {
          serviceAccount,
          containers: [{ image: 'a', portNumber: 80 }],
          service: new kplus.Service(scope, 's', { ports: [{ port: 80 }] }),
        }),
    ],
    ['DaemonSet', (scope, serviceAccount) => new kplus.DaemonSet(scope, 'w', { serviceAccount, containers: [{ image: 'a' }] })],
    ['Job', (scope, serviceAccount) => new kplus.Job(scope, 'w', { serviceAccount, containers: [{ image: 'a' }] })],
    [
      'CronJob',
      (scope, serviceAccount) =>
        new kplus.CronJob(scope, 'w', {
          serviceAccount,
          schedule: { expressionString: '* * * * *' } as never,
          containers: [{ image: 'a' }],
        }),
    ],
  ])('any workload: %s', (kind, make) => {
    for (const webhook of [true, false]) {
      const scope = chart();
      const serviceAccount = account(scope);
      WorkloadIdentity.bind(make(scope, serviceAccount), { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER, webhook });
      const text = JSON.stringify(only(scope, kind));
      expect([
        text.includes('AZURE_CLIENT_ID'),
        text.includes('azure.workload.identity/use'),
        text.includes('serviceAccountToken":'),
      ]).toEqual([true, webhook, !webhook]);
    }
  });
});

describe('the federated credential', () => {
  test('is for exactly that service account', () => {
    const scope = chart();
    const { federatedCredential, subject } = WorkloadIdentity.bind(deployment(scope), {
      identity: identity(scope, 'app-id', group(scope)),
      issuer: ISSUER,
    });
    expect(subject).toBe('system:serviceaccount:platform:chart-app-account');
    expect(only(scope, 'FederatedIdentityCredential')).toEqual({
      apiVersion: federation.latest.apiVersion,
      kind: 'FederatedIdentityCredential',
      metadata: { name: 'chart-app-account-federation-chart-app-id', namespace: 'platform' },
      spec: {
        azureName: 'chart-app-account-federation-chart-app-id',
        owner: { name: 'app-id' },
        issuer: ISSUER,
        audiences: ['api://AzureADTokenExchange'],
        subject,
      },
    });
    expect(federatedCredential?.kind).toBe('FederatedIdentityCredential');
    const kinds = synth(scope).map(({ kind }) => kind);
    expect(kinds.indexOf('Deployment')).toBeGreaterThan(kinds.indexOf('FederatedIdentityCredential'));
    expect(kinds.indexOf('FederatedIdentityCredential')).toBeGreaterThan(kinds.indexOf('UserAssignedIdentity'));
  });

  test('takes the issuer of a cluster of the app', () => {
    const scope = chart();
    const rg = ResourceGroup.named('rg') as never;
    const cluster = new ManagedCluster(scope, 'aks', {
      owner: rg, location: 'uksouth', dnsPrefix: 'aks', identity: { type: 'SystemAssigned' as never },
    });
    WorkloadIdentity.bind(deployment(scope), { identity: identity(scope, 'app-id', rg), issuerFromConfig: cluster.outputs.oidcIssuerProfile });
    const { spec } = only(scope, 'FederatedIdentityCredential');
    expect(spec.issuer).toBeUndefined();
    expect(spec.issuerFromConfig).toEqual({ name: cluster.outputs.oidcIssuerProfile.configMapName, key: 'oidcIssuerProfile' });
  });

  test('is shared by workloads that share the account', () => {
    const scope = chart();
    const serviceAccount = account(scope);
    const options = { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER };
    const [one, two] = ['one', 'two'].map((id) => WorkloadIdentity.bind(deployment(scope, id, { serviceAccount }), options));
    expect(two!.federatedCredential).toBe(one!.federatedCredential);
    only(scope, 'FederatedIdentityCredential');
    const other = WorkloadIdentity.bind(deployment(scope, 'three', { serviceAccount }), {
      ...options,
      identity: identity(scope, 'id2', ResourceGroup.named('rg')),
    });
    expect(other.federatedCredential).not.toBe(one!.federatedCredential);
    expect(() =>
      WorkloadIdentity.bind(deployment(scope, 'four', { serviceAccount }), { ...options, issuer: 'https://elsewhere/' }),
    ).toThrow('has another issuer, audience or subject');
    expect(() => WorkloadIdentity.bind(deployment(scope, 'five', { serviceAccount }), { ...options, federatedCredential: {} })).toThrow(
      'exists already',
    );
  });

  test('stands in the identity\'s namespace, which need not be the pods\'', () => {
    const app: App = Testing.app();
    const [platform, team] = [chart('platform', 'platform', app), chart('team', 'team', app)];
    WorkloadIdentity.bind(deployment(team), {
      identity: identity(platform, 'app-id', group(platform)),
      issuer: ISSUER,
      clientId: CLIENT,
      federatedCredential: { metadata: { name: 'team-app' }, azureName: 'team-app-uk' },
    });
    expect(findings(team)).toEqual([]);
    Template.fromChart(team).hasResource('FederatedIdentityCredential', {
      metadata: { name: 'team-app', namespace: 'platform' },
      spec: { azureName: 'team-app-uk', subject: 'system:serviceaccount:team:team-app-account' },
    });
  });

  test('can be left out', () => {
    const bare = new Chart(Testing.app(), 'bare');
    const { federatedCredential } = WorkloadIdentity.bind(deployment(bare), {
      identity: AzureReference.fromArmId(IDENTITY_ID), federate: false, clientId: CLIENT,
    });
    expect(federatedCredential).toBeUndefined();
    Template.fromChart(bare).hasNoResource('FederatedIdentityCredential');
  });
});

test('the owner graph shows that the identity feeds the workload', () => {
  const scope = chart();
  WorkloadIdentity.bind(deployment(scope), { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER });
  const edges = OwnerGraph.of(scope).edges.filter(({ relation }) => relation === 'feeds').map(({ from, to }) => [from, to]);
  expect(edges).toEqual([['managedidentity.azure.com/UserAssignedIdentity/platform/app-id', 'apps/Deployment/platform/chart-app']]);
});

describe('found at synth', () => {
  test('an identity in another namespace, whose ConfigMap the pods cannot read', () => {
    const app: App = Testing.app();
    const [platform, team] = [chart('platform', 'platform', app), chart('team', 'team', app)];
    WorkloadIdentity.bind(deployment(team), { identity: identity(platform, 'app-id', group(platform)), issuer: ISSUER });
    expect(findings(team)).toEqual([
      expect.stringMatching(/^\[team\/app\/Resource\] Deployment \S+: ConfigMap 'app-id-outputs' is written by 'platform\/app-id' in namespace 'platform'/),
      "[team/app/WorkloadIdentity] WorkloadIdentity clientId: comes from the ConfigMap 'app-id-outputs' of 'platform/app-id' in namespace 'platform', but the pods are in namespace 'team' and read ConfigMaps of their own namespace only. Give clientId as a literal (it is no secret), copy the ConfigMap and give clientIdFromConfig, or move the identity or the workload.",
    ]);
    expect(() => Template.fromApp(app)).toThrow('read ConfigMaps of their own namespace only');
  });

  test('an identity of another app', () => {
    const [scope, other] = [chart(), chart('platform', 'other')];
    WorkloadIdentity.bind(deployment(scope), { identity: identity(other, 'app-id', group(other)), issuer: ISSUER });
    expect(findings(scope)).toEqual([
      expect.stringContaining("FederatedIdentityCredential owner: the owner 'other/app-id' belongs to another app"),
      expect.stringContaining("WorkloadIdentity clientId: the identity 'other/app-id' belongs to another app"),
    ]);
  });

  test('a service account of another namespace', () => {
    const app: App = Testing.app();
    const [one, two] = [chart('one', 'one', app), chart('two', 'two', app)];
    WorkloadIdentity.bind(deployment(two, 'app', { serviceAccount: account(one) }), {
      identity: identity(two, 'app-id', group(two)),
      issuer: ISSUER,
    });
    expect(findings(two)).toEqual([
      expect.stringContaining("the service account 'one/app-account' is in namespace 'one', the pods are in namespace 'two'"),
    ]);
  });

  test('containers that came later', () => {
    const scope = chart();
    const workload = deployment(scope);
    WorkloadIdentity.bind(workload, { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER });
    workload.addContainer({ name: 'late', image: 'x' });
    expect(findings(scope)).toEqual([expect.stringContaining("container 'late' was added after WorkloadIdentity.bind")]);
  });
});

/** As callers without the compiler's strict options write properties. */
type MayBeUndefined<T> = { readonly [name in keyof T]?: T[name] | undefined };

describe('refused at once', () => {
  const good: WorkloadIdentityOptions = { identity: AzureReference.fromArmId(IDENTITY_ID), clientId: CLIENT, issuer: ISSUER };
  const attempt = (options: MayBeUndefined<WorkloadIdentityOptions>, props: MayBeUndefined<kplus.DeploymentProps> = {}, scope = chart()) =>
    () => WorkloadIdentity.bind(deployment(scope, 'app', props as kplus.DeploymentProps), { ...good, ...options } as WorkloadIdentityOptions);
  const value = ConfigMapValue.fromConfigMap('c', 'k');

  test.each<[string, () => unknown]>([
    [
      '[chart/app] has no service account, and all pods of the namespace share the default one.',
      attempt({}, { serviceAccount: undefined }),
    ],
    ['[chart/app] has no containers yet.', attempt({}, { containers: [] })],
    ['[chart/app] containers: is empty.', attempt({ containers: [] })],
    [
      "[chart/app] containers: 'x' is no container of this workload. It has: main.",
      attempt({ containers: [new kplus.Container({ name: 'x', image: 'x' })] }),
    ],
    [
      "[chart/app] container 'main' has the variable AZURE_CLIENT_ID already.",
      attempt({}, { containers: [{ name: 'main', image: 'a', envVariables: { AZURE_CLIENT_ID: kplus.EnvValue.fromValue('x') } }] }),
    ],
    [
      '[chart/app] identity: is a Microsoft.Storage/storageAccounts, but pods can run as a UserAssignedIdentity only.',
      attempt({
        identity: AzureReference.fromArmId(IDENTITY_ID.replace('ManagedIdentity/userAssignedIdentities', 'Storage/storageAccounts')),
      }),
    ],
    ['[chart/app] identity: is a ResourceGroup', attempt({ identity: ResourceGroup.named('rg') })],
    ['[chart/app] identity: is a well-known name', attempt({ identity: AzureReference.wellKnown('x') })],
    ['[chart/app] identity: is no reference', attempt({ identity: undefined })],
    ['[chart/app] clientId: is given twice.', attempt({ clientIdFromConfig: value })],
    ['[chart/app] clientId: is not known, for the identity is no construct of this app.', attempt({ clientId: undefined })],
    ['[chart/app] clientId: is not known', attempt({ clientId: undefined, identity: Identity.named('x') })],
    ["The clientId of [chart/app] 'x' is no UUID.", attempt({ clientId: 'x' })],
    ['[chart/app] tenantId: is not known', attempt({ webhook: false })],
    ['[chart/app] issuer: is missing.', attempt({ issuer: undefined })],
    ['[chart/app] issuer: is given twice.', attempt({ issuerFromConfig: value })],
    ["[chart/app] issuer: 'http://x' is no https:// URL.", attempt({ issuer: 'http://x' })],
    ['[chart/app] tokenLifetime: 60 seconds is not between 3600 and 86400.', attempt({ tokenLifetime: Duration.minutes(1) })],
    [
      '[bare/app] has no namespace, but the federated credential trusts a service account of one namespace.',
      attempt({}, {}, new Chart(Testing.app(), 'bare')),
    ],
  ])('%s', (message, act) => expect(act).toThrow(message));

  test('a second identity', () => {
    const scope = chart();
    const workload = deployment(scope);
    const options = { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER };
    WorkloadIdentity.bind(workload, options);
    expect(() => WorkloadIdentity.bind(workload, options)).toThrow('[chart/app] runs as an identity already');
  });

  test('and nothing is half done then', () => {
    const scope = chart();
    const workload = deployment(scope);
    const before = JSON.stringify(synth(scope));
    expect(() => WorkloadIdentity.bind(workload, { identity: AzureReference.fromArmId(IDENTITY_ID), clientId: CLIENT })).toThrow('issuer');
    expect(JSON.stringify(synth(scope))).toBe(before);
  });
});

test('what matchers say of it', () => {
  const scope = chart();
  WorkloadIdentity.bind(deployment(scope), { identity: identity(scope, 'app-id', group(scope)), issuer: ISSUER });
  Template.fromChart(scope).hasResource('Deployment', {
    spec: { template: { spec: { containers: [{ env: Match.arrayWith([Match.objectLike({ name: 'AZURE_CLIENT_ID' })]) }] } } },
  });
});
