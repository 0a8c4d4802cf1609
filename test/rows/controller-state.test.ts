import {
  account, AGENT_POOLS, annotate, answering, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, operation, POLICY, readyGroup,
  refusedGroup, SERVERS, typed, waits,
} from './arrange';
import { inEnvironment, table } from './table';
import type { ArmRequest } from '../../engine/arm/types';
import type { ExternalKind } from '../../engine/kinds/external';
import { KindError } from '../../engine/kinds/types';
import { KubernetesError } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { FINALIZER, LATEST_GENERATION, OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS,
  CONFIG_MAPS,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  NETWORKS,
  object,
  USERS,
  type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg');
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment)!, key);
const accepted = { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } };

const SECURITY_GROUPS = typed('entra.azure.com', 'v1', 'securitygroups', 'SecurityGroup');

/** The writes that something causes. */
async function writesOf(environment: TestEnvironment, act: () => Promise<unknown>): Promise<string[]> {
  const before = environment.cluster.writes.length;
  await act();
  await settled();
  return environment.cluster.writes.slice(before).map((write) => write.split('/')[0]!);
}

table('docs/spec/reconcile.md#writes', (row) => {
  row(
    'first reconcile',
    'operator-namespace (better: in the write of the claim)',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      expect(annotation(environment.stored(IDENTITIES, 'id')!, OPERATOR_NAMESPACE)).toBe('aso');
    }),
  );
  row(
    'claim done',
    'ownerReferences, resource-id, labels, finalizer',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.azure.before = ({ method }) => {
        if (method !== 'PUT') return;
        const { metadata, status } = environment.stored(IDENTITIES, 'id')!;
        expect(metadata).toMatchObject({
          ownerReferences: [{ name: 'rg' }],
          finalizers: [FINALIZER],
          annotations: { [RESOURCE_ID]: expect.any(String) },
        });
        expect(metadata.labels).toHaveProperty(['serviceoperator.azure.com/owner-uid']);
        expect(status).toBeUndefined();
      };
      await environment.cluster.create(IDENTITIES, identity());
      await settled();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'claim failed',
    'what was set so far, and Ready',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = undefined;
      expect(await writesOf(environment, () => environment.cluster.create(IDENTITIES, identity()))).toEqual([
        'create UserAssignedIdentity',
        'patch UserAssignedIdentity',
        'status UserAssignedIdentity',
      ]);
      expect(environment.stored(IDENTITIES, 'id')!.metadata.ownerReferences).toHaveLength(1);
    }),
  );
  row(
    'PUT accepted',
    'generation, poller, version; Ready Info',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', accepted);
      await createdGroup(environment);
      expect([noted(environment, LATEST_GENERATION), noted(environment, POLLER_ID)]).toEqual(['1', 'GenericClient.CreateOrUpdateByID']);
      expect(stored(environment)!.metadata.labels).toHaveProperty(['serviceoperator.azure.com/last-reconciled-version']);
      expect(ready(environment)).toMatchObject({ severity: 'Info', reason: 'Reconciling' });
    }),
  );
  row(
    'poll running',
    'nothing',
    inEnvironment(async (environment) => {
      answering(environment, 'PUT', accepted);
      await createdGroup(environment);
      operation(environment, { body: { status: 'InProgress' } });
      expect(await writesOf(environment, () => environment.clock.advance(30_000))).toEqual([]);
    }),
  );
  row(
    'success',
    'the poller goes; status and Ready True',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      expect(await writesOf(environment, () => environment.clock.advance(1_000))).toEqual(['patch ResourceGroup', 'status ResourceGroup']);
      expect(stored(environment)!.status).toMatchObject({ location: 'westeurope', conditions: [{ status: 'True' }] });
    }),
  );
  row(
    'PUT or poll failed',
    'the poller goes; Ready, the rest of the status as it was',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.azure.polls = 1;
      await edit(environment, { location: 'uksouth' });
      operation(environment, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
      await environment.clock.advance(1_000);
      expect(noted(environment, POLLER_TOKEN)).toBeUndefined();
      expect(stored(environment)!.status).toMatchObject({ location: 'westeurope', conditions: [{ reason: 'Conflict' }] });
    }),
  );
  row(
    'export failed',
    'the poller stays; status of the GET, Ready with the error',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'PUT', accepted, 'userAssignedIdentities');
      answering(environment, 'GET', { body: { location: 'here' } }, 'userAssignedIdentities');
      operation(environment, { body: { status: 'Succeeded' } });
      environment.cluster.before = (what) => {
        if (what === 'create ConfigMap') throw new KubernetesError(500, 'InternalError', 'broken');
      };
      const spec = { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }] } };
      await environment.cluster.create(IDENTITIES, identity('id', spec));
      await environment.clock.advance(1_000);
      const { status, metadata } = environment.stored(IDENTITIES, 'id')!;
      expect(status).toMatchObject({ location: 'here', conditions: [{ severity: 'Warning', reason: 'Failed', message: 'broken' }] });
      expect(metadata.annotations).toHaveProperty([POLLER_TOKEN]);
      expect(environment.stored(CONFIG_MAPS, 'out')).toBeUndefined();
    }),
  );
  row(
    'delete sent',
    'poller keys; Ready Info Deleting',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', accepted);
      await deleted(environment);
      expect([noted(environment, POLLER_ID), ready(environment)!.reason]).toEqual(['GenericClient.DeleteByID', 'Deleting']);
    }),
  );
  row(
    'delete done',
    'the finalizer goes, the status is not written',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(await writesOf(environment, () => deleted(environment))).toEqual(['delete ResourceGroup', 'patch ResourceGroup']);
    }),
  );
});

table('docs/spec/reconcile.md#spec-change', (row) => {
  row('spec change', 'while an operation runs: no second PUT, then the new spec', inEnvironment(async (environment) => {
    environment.azure.polls = 3;
    await createdGroup(environment);
    await edit(environment, { location: 'uksouth' });
    await edit(environment, { location: 'ukwest' });
    expect(environment.azure.count('PUT')).toBe(1);
    environment.azure.polls = 0;
    await environment.clock.advance(30_000);
    expect(environment.azure.bodies).toMatchObject([{ location: 'westeurope' }, { location: 'ukwest' }]);
  }));
});

table('docs/spec/reconcile.md#restart', (row) => {
  row('restart', 'a token is polled on', inEnvironment(async (environment) => {
    environment.azure.polls = 3;
    await createdGroup(environment);
    await environment.kill();
    await environment.start();
    expect(environment.azure.requests.at(-1)).toMatch(/^GET \/operations/);
    await environment.clock.advance(30_000);
    expect(environment.azure.count('PUT')).toBe(1);
  }));
  row('restart', '(better: others are read, and sent only where something differs)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await environment.kill();
    await environment.start();
    expect([environment.azure.count('PUT'), environment.azure.requests.at(-1)]).toEqual([1, `GET ${GROUP_ID}`]);
    await environment.kill();
    await environment.cluster.edit(GROUPS, 'default', 'rg', { tags: { a: 'b' } });
    await environment.start();
    expect(environment.azure.count('PUT')).toBe(2);
    environment.azure.meddle(GROUP_ID, { tags: {} });
    await environment.clock.advance(HOUR);
    expect(environment.azure.count('PUT')).toBe(3);
  }));
});

table('docs/spec/reconcile.md#payload', (row) => {
  const asked = async (environment: TestEnvironment, apiVersion: string) => {
    const versions: (string | undefined)[] = [];
    environment.azure.before = ({ apiVersion: used }: ArmRequest) => void versions.push(used);
    await environment.cluster.create(IDENTITIES, {
      ...identity('id', { owner: { armId: GROUP_ID } }),
      apiVersion: `managedidentity.azure.com/${apiVersion}`,
    });
    await environment.start();
    return versions;
  };
  row(
    'api-version',
    'of the version that the object was applied in',
    inEnvironment(async (environment) => expect((await asked(environment, 'v20230131'))[0]).toBe('2023-01-31')),
  );
  row(
    'api-version',
    'a legacy name means the same',
    inEnvironment(async (environment) => expect((await asked(environment, 'v1api20230131'))[0]).toBe('2023-01-31')),
  );
  row(
    'reading',
    'with the same',
    inEnvironment(async (environment) => {
      const versions = await asked(environment, 'v1api20230131');
      await environment.clock.advance(HOUR);
      expect(versions).toEqual(['2023-01-31', '2023-01-31']);
    }),
  );
  row(
    'absent members',
    'are not sent',
    inEnvironment(async (environment) => {
      await createdGroup(environment);
      expect(environment.azure.bodies).toEqual([{ location: 'westeurope', name: 'rg' }]);
    }),
  );
  row(
    'empty collections',
    'are not sent',
    inEnvironment(async (environment) => {
      await inReadyGroup(
        environment,
        NETWORKS,
        object(NETWORKS, 'net', { owner: { name: 'rg' }, location: 'x', tags: {}, addressSpace: { addressPrefixes: [] } }),
      );
      expect(environment.azure.bodies.at(-1)).toEqual({ location: 'x', name: 'net', properties: { addressSpace: {} } });
    }),
  );
  row(
    'empty collections',
    'but for kinds of storage and containerservice',
    inEnvironment(async (environment) => {
      environment.types.push(AGENT_POOLS);
      await inReadyGroup(environment, ACCOUNTS, account());
      expect(environment.azure.bodies.at(-1)).toMatchObject({ tags: null });
      const owner = { armId: `${GROUP_ID}/providers/Microsoft.ContainerService/managedClusters/c` };
      await environment.cluster.create(AGENT_POOLS, object(AGENT_POOLS, 'pool', { owner, count: 1 }));
      await settled();
      expect(environment.azure.bodies.at(-1)).toMatchObject({ properties: { count: 1, availabilityZones: null, nodeTaints: [] } });
    }),
  );
});

table('docs/spec/reconcile.md#sync', (row) => {
  row(
    'sync',
    '(better: a look after the period with jitter, and the full PUT only where something differs)',
    inEnvironment(async (environment) => {
      environment.clock.chance = 0;
      await readyGroup(environment);
      const before = environment.azure.requests.length;
      await environment.clock.advance(0.75 * HOUR - 1);
      expect(environment.azure.requests).toHaveLength(before);
      await environment.clock.advance(1);
      expect(environment.azure.requests.slice(before)).toEqual([`GET ${GROUP_ID}`]);
      environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
      await environment.clock.advance(0.75 * HOUR);
      expect(environment.azure.bodies[1]).toEqual(environment.azure.bodies[0]);
    }),
  );
  row(
    'never',
    'no timer; errors keep retrying',
    inEnvironment(async (environment) => {
      const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
      await createdGroup(environment, undefined, { syncPeriod: 'never' });
      giveBack();
      await environment.clock.advance(1_000);
      expect(waits(environment)).toEqual([1_000, undefined]);
    }),
  );
  row(
    'fatal',
    '(better: synced too)',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 400, failing('LocationRequired'));
      await environment.clock.advance(HOUR);
      expect(environment.azure.count('PUT')).toBe(2);
    }),
  );
});

table('docs/spec/reconcile.md#existing-resources', (row) => {
  row(
    'first PUT',
    'creates or updates what is there (better: adopt: IfPresent and Never say otherwise: test/controller/reconcile/adoption.test.ts)',
    inEnvironment(async (environment) => {
      environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'before' }, polls: 0 });
      await readyGroup(environment);
      expect([environment.azure.updated.size, environment.azure.created.size]).toEqual([1, 0]);
    }),
  );
  row(
    'skip',
    'only reads',
    inEnvironment(async (environment) => {
      environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
      await createdGroup(environment, { [POLICY]: 'skip' });
      expect(environment.azure.requests).toEqual([`GET ${GROUP_ID}`]);
    }),
  );
});

table('docs/spec/reconcile.md#other-backends', (row) => {
  const done = {
    ensure: async () => ({ status: {} }),
    observe: async () => ({ found: false, message: 'not there' }) as const,
    remove: async () => undefined,
  };
  const user = (annotations?: Record<string, string>) => object(USERS, 'u', { owner: { name: 'db' }, localUser: {} }, annotations);
  const withServer = async (environment: TestEnvironment, kind: ExternalKind, created = user()) => {
    environment.types.push(SERVERS);
    environment.externals = (_, name) => (name === 'User' ? kind : undefined);
    await environment.cluster.create(USERS, created);
    await environment.start();
    expect(environment.ready(USERS, 'u')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
    await environment.cluster.create(SERVERS, object(SERVERS, 'db', { location: 'x', owner: { armId: GROUP_ID } }));
    await settled();
    return environment.stored(USERS, 'u')!.metadata;
  };
  row(
    'database users',
    'wait for a Ready owner, get an ownerReference; no resource-id, no poller',
    inEnvironment(async (environment) => {
      const { ownerReferences, finalizers, annotations } = await withServer(environment, done);
      expect(environment.ready(USERS, 'u')).toMatchObject({ status: 'True' });
      expect([ownerReferences!.map(({ kind }) => kind), finalizers]).toEqual([['FlexibleServer'], [FINALIZER]]);
      for (const key of [RESOURCE_ID, POLLER_TOKEN]) expect(annotations).not.toHaveProperty([key]);
    }),
  );
  row(
    'database users',
    'an address that is missing: WaitingForOwner',
    inEnvironment(async (environment) => {
      const reason = new KindError('the server has no address yet', 'Warning', 'WaitingForOwner', 'fast');
      await withServer(environment, { ...done, ensure: () => Promise.reject(reason) });
      expect(environment.ready(USERS, 'u')).toMatchObject({
        severity: 'Warning',
        reason: 'WaitingForOwner',
        message: 'the server has no address yet',
      });
    }),
  );
  row(
    'database users',
    'skip and absent: AzureResourceNotFound',
    inEnvironment(async (environment) => {
      await withServer(environment, done, user({ [POLICY]: 'skip' }));
      expect(environment.ready(USERS, 'u')).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
    }),
  );
  row(
    'database users',
    'removed before the finalizer goes',
    inEnvironment(async (environment) => {
      let removed = 0;
      await withServer(environment, { ...done, remove: async () => void (removed += 1) });
      await deleted(environment, USERS, 'u');
      expect([removed, environment.stored(USERS, 'u')]).toEqual([1, undefined]);
    }),
  );
  row(
    'SecurityGroup',
    "no owner; resource-id is the group's object id",
    inEnvironment(async (environment) => {
      environment.types.push(SECURITY_GROUPS);
      environment.externals = () => ({ ...done, ensure: async () => ({ status: {}, annotations: { [RESOURCE_ID]: 'object-id' } }) });
      await environment.cluster.create(SECURITY_GROUPS, object(SECURITY_GROUPS, 'g', { displayName: 'g', mailNickname: 'g' }));
      await environment.start();
      expect(annotation(environment.stored(SECURITY_GROUPS, 'g')!, RESOURCE_ID)).toBe('object-id');
      expect([environment.ready(SECURITY_GROUPS, 'g')!.status, environment.azure.requests]).toEqual(['True', []]);
    }),
  );
});

table('docs/spec/reconcile.md#states', (row) => {
  const state = (environment: TestEnvironment) => [
    stored(environment)!.metadata.finalizers?.length ?? 0,
    noted(environment, POLLER_ID) ?? '',
    ready(environment)?.reason ?? '',
  ];
  row(
    'New',
    'no operator-namespace: annotated',
    inEnvironment(async (environment) => {
      await createdGroup(environment);
      expect(noted(environment, OPERATOR_NAMESPACE)).toBe('aso');
    }),
  );
  row(
    'Unclaimed',
    'stays without credential; claimed with it',
    inEnvironment(async (environment) => {
      environment.credential = undefined;
      await createdGroup(environment);
      expect(state(environment)).toEqual([0, '', 'CredentialNotFound']);
      environment.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
      await environment.clock.advance(1_000);
      expect(state(environment)).toEqual([1, '', 'Succeeded']);
    }),
  );
  row(
    'Claimed',
    'begin: failed, running or done',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      expect(state(environment)).toEqual([1, '', 'Conflict']);
      answering(environment, 'PUT', accepted);
      await environment.clock.advance(1_000);
      expect(state(environment)).toEqual([1, 'GenericClient.CreateOrUpdateByID', 'Conflict']);
    }),
  );
  row(
    'Running',
    'poll: running, done, failed',
    inEnvironment(async (environment) => {
      environment.azure.polls = 2;
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(state(environment)[1]).not.toBe('');
      await environment.clock.advance(2_000);
      expect(state(environment)).toEqual([1, '', 'Succeeded']);
    }),
  );
  row(
    'Done',
    'due by timer, spec, restart',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { tags: { edited: 'x' } });
      environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
      await environment.clock.advance(HOUR);
      expect(environment.azure.count('PUT')).toBe(3);
    }),
  );
  row(
    'Fatal',
    'due by spec, watched annotation, restart',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 400, failing('LocationRequired'));
      await edit(environment, { tags: { edited: 'x' } });
      await annotate(environment, { 'serviceoperator.azure.com/credential-from': 'x' });
      await environment.kill();
      await environment.start();
      expect(environment.azure.count('PUT')).toBeGreaterThanOrEqual(3);
    }),
  );
  row(
    'Deleting',
    'begin delete',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', accepted);
      await deleted(environment);
      expect(state(environment)).toEqual([1, 'GenericClient.DeleteByID', 'Deleting']);
    }),
  );
  row(
    'DeleteRunning',
    'gone, or back to Deleting',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', accepted);
      await deleted(environment);
      operation(environment, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
      await environment.clock.advance(1_000);
      expect(state(environment)).toEqual([1, '', 'Conflict']);
    }),
  );
  row(
    'Gone',
    'the finalizer is removed',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await deleted(environment);
      expect(stored(environment)).toBeUndefined();
    }),
  );
});
