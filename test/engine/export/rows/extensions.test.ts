import { SECRET_SOURCES, type Call, type FromStatus } from './secret-sources';
import { classify } from '../../../../engine/arm/classify';
import type { ArmRequest, ArmResponse } from '../../../../engine/arm/types';
import { ArmError } from '../../../../engine/arm/types';
import { exportsOf, fetchSecretValues, NO_SECRET_VALUES } from '../../../../engine/export';
import { changeBody, hooksOf, type KindContext } from '../../../../engine/kinds';
import { behaviourOf } from '../../../../engine/kinds/all-kinds';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../../../src/azure/annotations';
import { Catalog } from '../../../../src/catalog';
import { FakeAzure, SUBSCRIPTION } from '../../../controller/reconcile/fake-azure';
import { GROUP_ID } from '../../../controller/reconcile/harness';
import { rowTitle, specRows } from '../../../docs/spec-tables';
import { answer, fakeArm, latest } from '../fixtures';

const SECRETS = 'docs/spec/extensions.md#exported-secrets';
const CONFIG_MAP_VALUES = 'docs/spec/extensions.md#exported-configmap-values';
const STATES = 'docs/spec/extensions.md#state-gates';
const OWNER_STATES = 'docs/spec/extensions.md#owner-state-gates';
const POST_CHECKS = 'docs/spec/extensions.md#post-checks';
const BODIES = 'docs/spec/extensions.md#body-changes';
const ERRORS = 'docs/spec/extensions.md#error-adjustments';
const DELETES = 'docs/spec/extensions.md#before-the-delete';
const SUCCESSES = 'docs/spec/extensions.md#after-success';

/** The tables of the specification, by the catalog's names of the hooks. */
const TABLES: Readonly<Record<string, string>> = {
  KubernetesSecretExporter: SECRETS,
  KubernetesConfigExporter: CONFIG_MAP_VALUES,
  PreReconciliationChecker: STATES,
  PreReconciliationOwnerChecker: OWNER_STATES,
  PostReconciliationChecker: POST_CHECKS,
  ARMResourceModifier: BODIES,
  ErrorClassifier: ERRORS,
  Deleter: DELETES,
  SuccessfulCreationHandler: SUCCESSES,
};
const nameOf = (table: string, service: string, kind: string) => `${table}: ${service} ${kind}`;
/** Importers belong to a command line that fills manifests from Azure; a controller never calls them. */
const ROWS = new Set(Catalog.default().allKinds.flatMap(({ group, kind, facts }) => [
  ...(facts.extensions ?? []).filter((extension) => extension !== 'Importer').map((extension) => TABLES[extension]!),
  ...ownTables(group, kind),
].map((table) => nameOf(table, group.replace('.azure.com', ''), kind))));

/** Tables of what the kind does beyond ASO. */
function ownTables(group: string, kind: string): string[] {
  const behaviour = behaviourOf(group, kind);
  return [
    ...(behaviour.stateGates ?? []).map(({ of }) => (of === 'own' ? STATES : OWNER_STATES)),
    ...(behaviour.errors ? [ERRORS] : []),
    ...(behaviour.postCheck ? [POST_CHECKS] : []),
  ];
}

const tested = new Set<string>();
function row(service: string, kind: string, table: string, what: string, check: () => unknown): void {
  tested.add(nameOf(table, service, kind));
  test(rowTitle(table, `${service} ${kind}`, what), async () => void (await check()));
}

const object = (service: string, kind: string, spec: Record<string, unknown>, more: Partial<KubernetesObject> = {}): KubernetesObject => ({
  apiVersion: latest(service, kind).apiVersion,
  kind,
  spec,
  metadata: { name: 'x', namespace: 'default', uid: 'u', annotations: { [RESOURCE_ID]: ID } },
  ...more,
});
const ID = `${GROUP_ID}/providers/Microsoft.X/things/x`;

function context(
  service: string,
  kind: string,
  azure: FakeAzure,
  spec: Record<string, unknown> = {},
  more: Partial<KindContext> = {},
): KindContext {
  const lookup = { find: () => undefined, serves: () => true };
  return { object: object(service, kind, spec), version: latest(service, kind), armId: ID, client: azure, lookup, ...more };
}

function azureThat(intercept: (request: ArmRequest) => Partial<ArmResponse> | undefined): FakeAzure {
  const azure = new FakeAzure();
  azure.intercept = (request) => {
    const given = intercept(request);
    return given && asOfAzure(request, given);
  };
  return azure;
}

/** Adds parts that the rows leave out because Azure always has them: the id of a resource, and the error of a 404. */
function asOfAzure({ method, url }: ArmRequest, given: Partial<ArmResponse>): Partial<ArmResponse> {
  if (given.status === 404 && given.body === undefined) {
    return { ...given, body: { error: { code: 'ResourceNotFound', message: 'not found' } } };
  }
  const isResource = method === 'GET' && typeof given.body === 'object' && given.body !== null && !('value' in given.body);
  return isResource ? { ...given, body: { id: url.split('?')[0], ...given.body } } : given;
}

function secrets(service: string, kind: string, calls: readonly Call[], fromStatus: FromStatus): void {
  row(service, kind, SECRETS, calls.map(([path]) => path).join(', ') || 'without a call', async () => {
    const version = latest(service, kind);
    const arm = fakeArm(Object.fromEntries(calls.map(([path, , body]) => [`${ID}/${path}`, body])));
    const values = { ...Object.assign({}, ...calls.map(([, , , named]) => named)) as Record<string, string>, ...fromStatus.values };
    const found = await fetchSecretValues(arm, ID, version, version.facts.exports!.secrets!);
    const asked = arm.requests.map(({ method, url, apiVersion }) => `${method} ${url} ${apiVersion}`).sort();
    expect(asked).toEqual(calls.map(([path, apiVersion]) => `POST ${ID}/${path} ${apiVersion}`).sort());
    const destinations = Object.fromEntries(version.facts.exports!.secrets!.map((name) => [name, { name: 's', key: name }]));
    const all = { operatorSpec: { secrets: destinations } };
    const exported = exportsOf(version, object(service, kind, all, { status: fromStatus.status ?? {} }), found);
    expect(exported.secrets[0]!.stringData).toEqual(values);
    // Every value is there under its own name, for expressions.
    for (const [name, value] of Object.entries(values)) {
      const spec = { operatorSpec: { secretExpressions: [{ name: 's', key: 'k', value: `secret.${name}` }] } };
      expect(exportsOf(version, object(service, kind, spec, { status: fromStatus.status ?? {} }), found).secrets[0]?.stringData).toEqual({
        k: value,
      });
    }
    // Nothing wanted, nothing asked.
    const none = fakeArm({});
    await fetchSecretValues(none, ID, version, []);
    expect(none.requests).toEqual([]);
  });
}
for (const sources of SECRET_SOURCES) secrets(...sources);

/** A row of errors: which, and what they become; the same code with another message keeps its class where the message counts. */
type Become = { readonly severity: 'Warning' | 'Error'; readonly retry?: string };
function errors(
  service: string, kinds: string | readonly string[], code: string, message: string, status: number, become: Become,
  other?: readonly [message: string, become: Become],
): void {
  for (const kind of [kinds].flat()) {
    row(service, kind, ERRORS, `${code} "${message}"`, () => {
      const { adjust } = hooksOf(`${service}.azure.com`, kind);
      expect(classify(new ArmError(code, message, status), adjust)).toMatchObject(become);
      if (other) expect(classify(new ArmError(code, other[0], status), adjust)).toMatchObject(other[1]);
    });
  }
}
const SLOW: Become = { severity: 'Warning', retry: 'slow' };
const VERY_SLOW: Become = { severity: 'Warning', retry: 'verySlow' };
const FATAL: Become = { severity: 'Error' };
errors('app', ['ContainerApp', 'Job'], 'ManagedEnvironmentNotProvisioned', 'm', 409, SLOW);
errors('cdn', 'AfdCustomDomain', 'BadRequest', 'This resource is still associated with a route.', 400, SLOW, ['other', VERY_SLOW]);
errors(
  'cdn',
  ['Route', 'Rule'],
  'BadRequest',
  'until originGroup is created successfully and at least one enabled origin is created',
  400,
  VERY_SLOW,
);
errors(
  'cdn',
  'SecurityPolicy',
  'BadRequest',
  'd is not associated with the AFDX profile or is in a invalid provisioning state',
  400,
  VERY_SLOW,
);
errors('compute', 'Disk', 'BadRequest', 'DiskAccess d not found', 400, VERY_SLOW);
errors('compute', 'Disk', 'Conflict', 'DiskAccess d is in failed state.', 409, SLOW);
errors('compute', ['VirtualMachine', 'VirtualMachineScaleSet'], 'OperationNotAllowed', 'quota', 409, SLOW);
errors('containerservice', 'ManagedCluster', 'CustomKubeletIdentityMissingPermissionError', 'm', 409, SLOW);
errors('containerservice', 'ManagedClustersAgentPool', 'NodePoolMcVersionIncompatible', 'm', 400, SLOW);
errors('containerservice', 'FleetsMember', 'DependentResourceNotFound', 'm', 404, SLOW);
errors('documentdb', 'DatabaseAccount', 'ServiceUnavailable', 'we are currently experiencing high demand', 503, FATAL, ['down', SLOW]);
errors('documentdb', ['SqlDatabase', 'MongodbDatabase'], 'BadRequest', 'm', 400, VERY_SLOW);
errors('documentdb', 'SqlRoleAssignment', 'BadRequest', 'p was not found in the AAD tenant', 400, VERY_SLOW);
errors('documentdb', 'CassandraCluster', 'BadRequest', 'the service principal', 400, VERY_SLOW);
errors('insights', 'DataCollectionRule', 'WorkspaceNotFound', 'm', 404, SLOW);
errors('insights', 'ScheduledQueryRule', 'BadRequest', 'table does not exist', 400, VERY_SLOW);
errors('machinelearningservices', 'Workspace', 'BadRequest', 'StorageAccountIsNotProvisioned', 400, VERY_SLOW);
errors('network', 'VirtualNetworksSubnet', 'NetcfgSubnetRangeOutsideVnet', 'm', 409, SLOW);
errors('network', ['VirtualNetworksVirtualNetworkPeering', 'PublicIPAddress'], 'ReferencedResourceNotProvisioned', 'm', 409, SLOW);
errors('network', 'NetworkWatchersFlowLog', 'NetworkSecurityGroupNotFoundForFlowLog', 'm', 404, SLOW);
errors('network', 'NetworkWatchersFlowLog', 'StorageProvisioningStateNotSucceeded', 'm', 409, SLOW);
errors('network', 'AzureFirewall', 'AzfwAddToFirewallPolicyFailed', 'FAILED to reference firewall policy', 409, SLOW);
errors(
  'network',
  ['DnsZonesARecord', 'DnsZonesAAAARecord', 'DnsZonesCNAMERecord'],
  'BadRequest',
  'The referenced resource r was not found',
  400,
  VERY_SLOW,
);
errors('network', 'DnsForwardingRuleset', 'InvalidTemplate', 'the endpoint was not found', 400, SLOW, ['broken', FATAL]);
errors('servicebus', 'NamespacesTopicsSubscription', 'MessagingGatewayBadRequest', 'm', 400, { severity: 'Warning' });
errors('sql', 'Server', 'PasswordNotComplex', 'm', 400, FATAL);
errors('sql', 'ServersVulnerabilityAssessment', 'VulnerabilityAssessmentADSIsDisabled', 'm', 400, { severity: 'Warning' });

const PASSING = ['Succeeded', 'failed', 'CANCELED', undefined];
/** A gate of the resource itself: its states in Azure, those that pass and those that block. */
function gate(
  service: string,
  kind: string,
  path: 'provisioningState' | 'state',
  passing: readonly (string | undefined)[],
  blocking: readonly string[],
): void {
  const check = (state: string | undefined) =>
    hooksOf(`${service}.azure.com`, kind).preCheck!(
      context(
        service,
        kind,
        azureThat(() => (state ? { body: { properties: { [path]: state } } } : { status: 404 })),
      ),
    );
  row(service, kind, STATES, `passes ${passing.join(', ')}; blocks ${blocking.join(', ')}`, async () => {
    for (const state of passing) expect([state, await check(state)]).toEqual([state, { kind: 'proceed' }]);
    for (const state of blocking) {
      expect(await check(state)).toEqual({ kind: 'block', message: expect.stringContaining(`"${state}"`) as string });
    }
  });
}
gate('containerservice', 'ManagedCluster', 'provisioningState', PASSING, ['Updating', 'Creating', 'Deleting']);
gate('containerservice', 'ManagedClustersAgentPool', 'provisioningState', PASSING, ['Scaling']);
gate('dbforpostgresql', 'FlexibleServer', 'state', [...PASSING, 'Ready'], ['Stopped', 'Updating']);
gate('documentdb', 'DatabaseAccount', 'provisioningState', [...PASSING, 'Updating'], ['Deleting']);
gate('kusto', 'Cluster', 'provisioningState', PASSING, ['Running', 'Stopping']);

/** A gate of the owner: it stops before the resource itself is asked for. */
function ownerGate(
  service: string,
  kind: string,
  path: 'provisioningState' | 'state',
  passing: readonly (string | undefined)[],
  blocking: readonly string[],
): void {
  const ownerId = `${GROUP_ID}/providers/Microsoft.X/owners/o`;
  const check = async (state: string | undefined) => {
    const azure = azureThat(({ url }) => (url === ownerId && state ? { body: { properties: { [path]: state } } } : { status: 404 }));
    const verdict = await hooksOf(`${service}.azure.com`, kind).preCheck!(context(service, kind, azure, { owner: { armId: ownerId } }));
    return { verdict, asked: azure.requests };
  };
  row(service, kind, OWNER_STATES, `passes ${passing.join(', ')}; blocks ${blocking.join(', ')}`, async () => {
    for (const state of passing) expect([state, (await check(state)).verdict]).toEqual([state, { kind: 'proceed' }]);
    for (const state of blocking) {
      const { verdict, asked } = await check(state);
      expect(verdict).toEqual({ kind: 'block', message: expect.stringContaining(`owner "${ownerId}" is in state "${state}"`) as string });
      expect(asked).toEqual([`GET ${ownerId}`]);
    }
  });
  row(service, kind, OWNER_STATES, 'without an owner nothing is asked of it', async () => {
    const azure = azureThat(() => ({ status: 404 }));
    expect(await hooksOf(`${service}.azure.com`, kind).preCheck!(context(service, kind, azure))).toEqual({ kind: 'proceed' });
    expect(azure.requests).not.toContain(`GET ${ownerId}`);
  });
}
ownerGate('containerservice', 'ManagedClustersAgentPool', 'provisioningState', PASSING, ['Updating']);
ownerGate('dbforpostgresql', 'FlexibleServersDatabase', 'state', [...PASSING, 'ready'], ['Stopping']);
ownerGate('dbforpostgresql', 'FlexibleServersFirewallRule', 'state', [...PASSING, 'ready'], ['Stopping']);
ownerGate('documentdb', 'CassandraDataCenter', 'provisioningState', ['Succeeded', undefined], ['succeeded', 'Failed']);
ownerGate('kusto', 'Database', 'provisioningState', PASSING, ['Stopped']);

/** Children of the body, as Azure has them: `keeps` says what the shape keeps. */
function children(service: string, kind: string, path: string, mode: 'replace' | 'merge'): void {
  const segments = path.split('.');
  const nested = (value: unknown): Record<string, unknown> =>
    segments.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), value) as Record<string, unknown>;
  const at = (body: unknown) =>
    segments.reduce<unknown>((inner, segment) => (inner as Record<string, unknown> | undefined)?.[segment], body);
  const existing = [
    { name: 'a', etag: 'W/1', properties: { provisioningState: 'Succeeded' } },
    { name: 'b', properties: { provisioningState: 'Succeeded' } },
  ];
  const changed = (body: Record<string, unknown>, found?: unknown) => {
    const azure = azureThat(() => (found ? { body: found as object } : { status: 404 }));
    return changeBody(body, context(service, kind, azure));
  };
  row(service, kind, BODIES, `${mode}s ${path}, without what Azure added`, async () => {
    const kept = at(await changed({ location: 'x' }, nested(existing))) as { name: string }[];
    expect(kept.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(JSON.stringify(kept)).not.toMatch(/etag|provisioningState/);
  });
  row(service, kind, BODIES, 'a resource without children, or that is not there, has nothing to keep', async () => {
    for (const found of [undefined, nested([])]) expect(await changed({ location: 'x' }, found)).toEqual({ location: 'x' });
  });
  row(
    service,
    kind,
    BODIES,
    'an answer without the list of children is none (better: nothing is sent, where ASO would remove them)',
    async () => {
      for (const found of [{}, { properties: {} }, nested('text'), nested([5]), nested([null])]) {
        await expect(changed({ location: 'x' }, found)).rejects.toThrow(/no whole list|is not what was asked for/);
      }
    },
  );
  if (mode === 'merge') {
    row(service, kind, BODIES, "the spec's own come first and win", async () => {
      expect(
        (at(await changed(nested([{ name: 'b', mine: true }, { name: 'c' }]), nested(existing))) as { name: string; mine?: boolean }[]).map(
          ({ name, mine }) => [name, mine],
        ),
      ).toEqual([
        ['b', true],
        ['c', undefined],
        ['a', undefined],
      ]);
    });
  }
}
children('network', 'VirtualNetwork', 'properties.subnets', 'replace');
children('network', 'RouteTable', 'properties.routes', 'replace');
children('network', 'NetworkSecurityGroup', 'properties.securityRules', 'replace');
children('network', 'LoadBalancer', 'properties.inboundNatRules', 'merge');
children('compute', 'VirtualMachineScaleSet', 'properties.virtualMachineProfile.extensionProfile.extensions', 'merge');
row('authorization', 'RoleAssignment', BODIES, "a well-known role becomes its id in the assignment's subscription", async () => {
  const body = await changeBody(
    { properties: { roleDefinitionId: 'READER' } },
    context('authorization', 'RoleAssignment', new FakeAzure()),
  );
  expect(body).toEqual({
    properties: {
      roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
    },
  });
  await expect(
    changeBody(
      { properties: { roleDefinitionId: 'no role' } },
      context(
        'authorization',
        'RoleAssignment',
        azureThat(() => ({ body: { value: [] } })),
      ),
    ),
  ).rejects.toThrow('built-in-roles');
});
const vaultMode = (mode: string, location: string | undefined, intercept: FakeAzure['intercept']) => {
  const azure = azureThat(intercept);
  const body = changeBody(
    { ...(location ? { location } : {}), properties: { createMode: mode } },
    context('keyvault', 'Vault', azure, { owner: { armId: GROUP_ID } }),
  );
  return body.then((sent) => ({ mode: (sent.properties as { createMode: string }).createMode, asked: azure.requests }));
};
row('keyvault', 'Vault', BODIES, 'default and recover ask nothing', async () => {
  for (const mode of ['default', 'recover']) expect(await vaultMode(mode, 'westus', () => ({ status: 500 }))).toEqual({ mode, asked: [] });
});
row(
  'keyvault',
  'Vault',
  BODIES,
  "asks by the owner's subscription, the location and the Azure name; (better) a failed look is an error",
  async () => {
    const { mode, asked } = await vaultMode('createOrRecover', 'westus', () => ({ status: 404 }));
    expect([mode, asked]).toEqual([
      'default',
      [`GET /subscriptions/${SUBSCRIPTION}/providers/Microsoft.KeyVault/locations/westus/deletedVaults/x`],
    ]);
    for (const failing of ['createOrRecover', 'purgeThenCreate']) {
      await expect(
        vaultMode(failing, 'westus', () => ({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'm' } } })),
      ).rejects.toThrow(ArmError);
    }
  },
);
row('keyvault', 'Vault', BODIES, 'without a location: createOrRecover fails, there is nothing to purge', async () => {
  await expect(vaultMode('createOrRecover', undefined, () => ({ status: 404 }))).rejects.toThrow('spec.location is empty');
  expect(await vaultMode('purgeThenCreate', undefined, () => ({ status: 404 }))).toEqual({ mode: 'default', asked: [] });
});

const endpoint = hooksOf('network.azure.com', 'PrivateEndpoint');
row('network', 'PrivateEndpoint', POST_CHECKS, 'connections that are not approved; (better) absent members are none', () => {
  const check = (...states: (string | undefined)[]) =>
    endpoint.postCheck!(context('network', 'PrivateEndpoint', new FakeAzure()), {
      manualPrivateLinkServiceConnections: states.map((status, index) => ({
        id: `/c${index}`,
        ...(status ? { privateLinkServiceConnectionState: { status } } : {}),
      })),
    });
  expect(check('Approved')).toEqual({});
  expect(check('Approved', 'Pending', 'approved', undefined)).toEqual({
    failure: 'private link service connections wait for approval: /c1, /c2, /c3',
  });
  expect(endpoint.postCheck!(context('network', 'PrivateEndpoint', new FakeAzure()), {})).toEqual({});
});
row('network', 'PrivateEndpoint', CONFIG_MAP_VALUES, 'the primary\'s private address (better: whichever configuration it is)', async () => {
  const spec = { operatorSpec: { configMaps: { primaryNicPrivateIpAddress: { name: 'c', key: 'ip' } } } };
  const configurations = [
    { properties: { privateIPAddress: '10.0.0.9' } },
    { properties: { privateIPAddress: '10.0.0.4', primary: true } },
  ];
  const values = (given: Record<string, unknown>, status: Record<string, unknown>, found = configurations) =>
    endpoint.configMapValues!(
      context(
        'network',
        'PrivateEndpoint',
        azureThat(() => ({ body: { properties: { ipConfigurations: found } } })),
        given,
      ),
      status,
    );
  const status = { networkInterfaces: [{ id: `${GROUP_ID}/providers/Microsoft.Network/networkInterfaces/nic` }] };
  expect(await values(spec, status)).toEqual({ primaryNicPrivateIpAddress: '10.0.0.4' });
  expect([await values(spec, status, []), await values(spec, {}), await values({}, status)]).toEqual([{}, {}, {}]);
});
row('network', 'VirtualNetworksSubnet', POST_CHECKS, 'more than 2000 addresses are left out of the status', () => {
  const check = (count: number) =>
    hooksOf('network.azure.com', 'VirtualNetworksSubnet').postCheck!(context('network', 'VirtualNetworksSubnet', new FakeAzure()), {
      a: 1,
      ipConfigurations: Array(count).fill({ id: 'x' }),
    });
  expect([check(2000), check(2001)]).toEqual([{}, { status: { a: 1 } }]);
});

describe('backup instances', () => {
  const TOKEN = 'serviceoperator.azure.com/bi-poller-resume-token';
  const vault: KubernetesObject = { apiVersion: 'dataprotection.azure.com/v20231101', kind: 'BackupVault', metadata: { name: 'v' } };
  const check = (protection: unknown, azure: FakeAzure, token?: string, isOwned = true) => {
    const given = context(
      'dataprotection',
      'BackupVaultsBackupInstance',
      azure,
      { owner: isOwned ? { name: 'v' } : { armId: '/v' } },
      { lookup: { find: () => vault, serves: () => true } },
    );
    const marked = token ? { ...given.object, metadata: { ...given.object.metadata, annotations: { [TOKEN]: token } } } : given.object;
    return hooksOf('dataprotection.azure.com', 'BackupVaultsBackupInstance').postCheck!(
      { ...given, object: marked },
      { id: '/b', properties: { protectionStatus: protection } },
    );
  };
  const NAME = ['dataprotection', 'BackupVaultsBackupInstance', POST_CHECKS] as const;
  const USER_ERROR = { status: 'ProtectionError', errorDetails: { code: 'UserErrorMissingPermissions' } };
  row(...NAME, 'ended states, and what cannot be told, are fine', async () => {
    for (const status of [
      'ProtectionConfigured',
      'configuringProtectionFailed',
      'SoftDeleted',
      'ProtectionStopped',
      'NotProtected',
      'Invalid',
      'BackupSchedulesSuspended',
      'RetentionSchedulesSuspended',
      undefined,
    ]) {
      expect(await check({ status }, new FakeAzure())).not.toHaveProperty('failure');
    }
    expect(await check(undefined, new FakeAzure())).not.toHaveProperty('failure');
    expect(await check(USER_ERROR, new FakeAzure(), undefined, false)).not.toHaveProperty('failure');
  });
  row(...NAME, 'other states are waited for; (better) an error without details is none of the user', async () => {
    const azure = new FakeAzure();
    expect(await check({ status: 'ConfiguringProtection' }, azure)).toMatchObject({
      failure: expect.stringContaining('"ConfiguringProtection"') as string,
    });
    expect(await check({ status: 'ProtectionError' }, azure)).toHaveProperty('failure');
    expect(azure.requests).toEqual([]);
  });
  row(...NAME, 'an error of the user: synchronized, one request a reconcile, remembered in an annotation', async () => {
    let polls = 0;
    const azure = azureThat(({ method }) =>
      method === 'POST'
        ? { status: 202, headers: { location: 'https://arm.test/operations/sync' } }
        : { status: polls++ === 0 ? 202 : 200, headers: { 'x-ms-request-id': 'r' } },
    );
    const first = await check(USER_ERROR, azure);
    expect(first).toMatchObject({
      failure: expect.stringContaining('it is being synchronized') as string,
      annotations: { [TOKEN]: expect.any(String) as string },
    });
    const second = await check(USER_ERROR, azure, first.annotations![TOKEN]);
    const third = await check(USER_ERROR, azure, second.annotations![TOKEN]);
    expect(third).toEqual({ failure: expect.stringContaining('it has been synchronized') as string, annotations: { [TOKEN]: undefined } });
    expect(azure.requests).toEqual([`POST ${ID}/sync`, 'GET /operations/sync', 'GET /operations/sync']);
  });
  row(...NAME, 'a sync that ASO has begun is followed', async () => {
    const azure = azureThat(() => ({ status: 200, headers: { 'x-ms-request-id': 'r' } }));
    const token = JSON.stringify({
      type: 'BackupInstancesClientSyncBackupInstanceResponse',
      token: { type: 'loc', pollURL: 'https://arm.test/operations/sync', state: 'InProgress' },
    });
    expect(await check(USER_ERROR, azure, token)).toMatchObject({ failure: expect.stringContaining('it has been synchronized') as string });
    expect(azure.requests).toEqual(['GET /operations/sync']);
  });
  row(...NAME, 'a sync that fails, and a token of another program', async () => {
    const azure = azureThat(() => ({ status: 403, body: { error: { code: 'AuthorizationFailed', message: 'm' } } }));
    expect(await check(USER_ERROR, azure, '{"of":"another program"}')).toMatchObject({
      reason: 'Failed',
      failure: expect.stringContaining('AuthorizationFailed: m') as string,
      annotations: { [TOKEN]: undefined },
    });
    expect(azure.requests).toEqual([`POST ${ID}/sync`]);
  });
});

const deleting = (service: string, kind: string, azure: FakeAzure) =>
  hooksOf(`${service}.azure.com`, kind).beforeDelete!(context(service, kind, azure));
row(
  'apimanagement',
  'Product',
  DELETES,
  'with its subscriptions, by the id (better: not by metadata.name); then the usual DELETE',
  async () => {
    let seen: ArmRequest | undefined;
    await deleting(
      'apimanagement',
      'Product',
      azureThat((request) => ((seen = request), { status: 404 })),
    );
    expect(seen).toMatchObject({
      method: 'DELETE',
      url: `${ID}?api-version=2022-08-01&deleteSubscriptions=true`,
      headers: { 'if-match': '*' },
    });
    await expect(
      deleting(
        'apimanagement',
        'Product',
        azureThat(() => ({ status: 409, body: { error: { code: 'Conflict', message: 'm' } } })),
      ),
    ).rejects.toThrow(ArmError);
  },
);
const aliased = (subscriptionId?: string) =>
  azureThat(({ method }) => (method === 'GET' ? { body: { properties: { subscriptionId } } } : { status: 200, body: { subscriptionId } }));
row('subscription', 'Alias', DELETES, 'the subscription is cancelled first, if there is one', async () => {
  const azure = aliased(SUBSCRIPTION);
  await deleting('subscription', 'Alias', azure);
  expect(azure.requests.at(-1)).toBe(`POST /subscriptions/${SUBSCRIPTION}/providers/Microsoft.Subscription/cancel`);
  const none = aliased();
  await deleting('subscription', 'Alias', none);
  expect(none.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  await expect(
    deleting(
      'subscription',
      'Alias',
      azureThat(({ method }) => (method === 'GET' ? { body: { properties: { subscriptionId: SUBSCRIPTION } } } : { status: 409 })),
    ),
  ).rejects.toThrow(ArmError);
});
row('subscription', 'Alias', SUCCESSES, 'children resolve to the subscription', () => {
  const { onSuccess } = hooksOf('subscription.azure.com', 'Alias');
  const given = context('subscription', 'Alias', new FakeAzure());
  expect(onSuccess!(given, { properties: { subscriptionId: SUBSCRIPTION } })).toEqual({
    'serviceoperator.azure.com/child-resource-id-override': `/subscriptions/${SUBSCRIPTION}`,
  });
  expect(() => onSuccess!(given, {})).toThrow('no properties.subscriptionId');
  expect(() => onSuccess!(given, { properties: { subscriptionId: '../x' } })).toThrow();
});

test('docs/spec/extensions.md#hooks: every hook of every kind has a row and a test', () => {
  expect([...tested].sort()).toEqual([...ROWS].sort());
  const documented = Object.values(TABLES).flatMap((table) => specRows(table).map(({ name }) => `${table}: ${name}`));
  expect(documented.sort()).toEqual([...ROWS].sort());
});

test('docs/spec/extensions.md#secret-export: Fleet promises credentials that Azure does not give: nothing is exported, and nothing fails', () => {
  const fleet = object('containerservice', 'Fleet', { operatorSpec: { secrets: { userCredentials: { name: 's', key: 'k' } } } });
  expect(exportsOf(latest('containerservice', 'Fleet'), fleet, NO_SECRET_VALUES)).toEqual({ secrets: [], configMaps: [] });
});

test.each([
  ['appconfiguration', 'ConfigurationStore', 'primaryKey', { value: [] }],
  ['devices', 'IotHub', 'servicePrimaryKey', { value: [{ keyName: 'device', primaryKey: 'x' }] }],
  ['machinelearningservices', 'Workspace', 'primaryNotebookAccessKey', {}],
])('docs/spec/extensions.md#secret-export: an entry that Azure does not have is skipped: %s %s %s', async (service, kind, name, body) => {
  const version = latest(service, kind);
  const path = Object.values(version.kind.facts.secretSources!.calls!)[0]!.path;
  const values = await fetchSecretValues(fakeArm({ [`${ID}/${path}`]: body }), ID, version, [name]);
  expect(
    exportsOf(version, object(service, kind, { operatorSpec: { secrets: { [name]: { name: 's', key: 'k' } } } }), values).secrets,
  ).toEqual([]);
});

test('docs/spec/extensions.md#secret-export: no retries, whatever Azure answers', async () => {
  let requests = 0;
  const arm = { ...fakeArm({}), send: async () => ((requests += 1), answer(503, { error: { code: 'ServerBusy', message: 'm' } })) };
  await expect(fetchSecretValues(arm, ID, latest('storage', 'StorageAccount'), ['key1'])).rejects.toThrow('ServerBusy');
  expect(requests).toBe(1);
});
