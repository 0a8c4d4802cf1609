import {
  annotate,
  answering,
  createdGroup,
  deleted,
  edit,
  failing,
  HOUR,
  inReadyGroup,
  namespaced,
  operation,
  OTHER_SUBSCRIPTION,
  POLICY,
  readyGroup,
  waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { FINALIZER, LATEST_GENERATION, POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { settled } from '../controller/reconcile/fake-clock';
import {
  BLOBS,
  CONFIG_MAPS,
  group,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  IDENTITY_ID,
  NAMESPACES,
  object,
  type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg');
const accepted = { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } };
const ACCOUNT = `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/sa`;
const blobs = () => object(BLOBS, 'blobs', { owner: { armId: ACCOUNT } });
const readyBlobs = async (environment: TestEnvironment) => {
  await environment.cluster.create(BLOBS, blobs());
  await environment.start();
  expect(environment.ready(BLOBS, 'blobs')).toMatchObject({ status: 'True' });
};

table('docs/spec/deletion.md#policy', (row) => {
  const puts = (object_: string | undefined, ofNamespace: string | undefined, byDefault: 'manage' | 'skip', expected: number) =>
    inEnvironment(async (environment) => {
      if (ofNamespace) await environment.cluster.create(NAMESPACES, namespaced({ [POLICY]: ofNamespace }));
      await createdGroup(environment, object_ ? { [POLICY]: object_ } : undefined, { defaultPolicy: byDefault });
      expect(environment.azure.count('PUT')).toBe(expected);
    });
  row('source', "the object's annotation first", puts('manage', 'skip', 'skip', 1));
  row('source', "then its Namespace's", puts(undefined, 'manage', 'skip', 1));
  row('source', 'then the default', puts(undefined, undefined, 'skip', 0));
  row('unknown', 'the default, and a warning in the log', inEnvironment(async (environment) => {
    await createdGroup(environment, { [POLICY]: 'whatever' }, { defaultPolicy: 'skip' });
    expect(environment.azure.count('PUT')).toBe(0);
    expect(environment.warnings).toEqual(['unknown reconcile policy "whatever", using "skip"']);
  }));
  row('unknown', 'of a Namespace too; an unreadable Namespace is the default', inEnvironment(async (environment) => {
    await environment.cluster.create(NAMESPACES, namespaced({ [POLICY]: 'whatever' }));
    await createdGroup(environment);
    expect(environment.azure.count('PUT')).toBe(1);
    expect(environment.warnings).toHaveLength(1);
  }));
  row('case', 'counts', puts('Skip', undefined, 'manage', 1));
});

table('docs/spec/deletion.md#policies', (row) => {
  const calls = (policy: string) => async (environment: TestEnvironment) => {
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await createdGroup(environment, { [POLICY]: policy });
    expect(ready(environment)).toMatchObject({ status: 'True' });
    await deleted(environment);
    expect(stored(environment)).toBeUndefined();
    return [environment.azure.count('PUT'), environment.azure.count('DELETE')];
  };
  row(
    'manage',
    'PUT and DELETE',
    inEnvironment(async (environment) => expect(await calls('manage')(environment)).toEqual([1, 1])),
  );
  row(
    'detach-on-delete',
    'PUT, no DELETE',
    inEnvironment(async (environment) => expect(await calls('detach-on-delete')(environment)).toEqual([1, 0])),
  );
  row(
    'skip',
    'neither',
    inEnvironment(async (environment) => expect(await calls('skip')(environment)).toEqual([0, 0])),
  );
  row(
    'skip',
    'waits for the owner, resolves, claims, reads, exports, is Ready',
    inEnvironment(async (environment) => {
      const spec = { operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value: 'self.status.location' }] } };
      const child = identity('id', spec);
      await environment.cluster.create(IDENTITIES, { ...child, metadata: { ...child.metadata, annotations: { [POLICY]: 'skip' } } });
      await environment.start();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ reason: 'WaitingForOwner' });
      environment.azure.resources.set(IDENTITY_ID.toLowerCase(), { body: { location: 'here' }, polls: 0 });
      await environment.cluster.create(GROUPS, group());
      await settled();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
      expect(environment.stored(IDENTITIES, 'id')!.metadata).toMatchObject({
        finalizers: [FINALIZER],
        annotations: { [RESOURCE_ID]: IDENTITY_ID },
      });
      expect(environment.stored(CONFIG_MAPS, 'out')).toMatchObject({ data: { k: 'here' } });
      expect(environment.azure.count('PUT', '/id')).toBe(0);
    }),
  );
  row(
    'skip',
    'missing in Azure: AzureResourceNotFound, retried Slow',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [POLICY]: 'skip' });
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'AzureResourceNotFound' });
      environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
});

table('docs/spec/deletion.md#policy-changes', (row) => {
  row('skip', 'leaving it sends the full PUT at once', inEnvironment(async (environment) => {
    environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
    await createdGroup(environment, { [POLICY]: 'skip' });
    await annotate(environment, { [POLICY]: null });
    expect(environment.azure.bodies).toEqual([{ location: 'westeurope', name: 'rg' }]);
    expect(annotation(stored(environment)!, LATEST_GENERATION)).toBe('1');
  }));
  row('skip', 'entering it reads at once', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await annotate(environment, { [POLICY]: 'skip' });
    expect(environment.reconciles.at(-1)!.actions).toEqual(['read', 'complete']);
  }));
  row('manage and detach-on-delete', 'no reconcile; read when needed', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await annotate(environment, { [POLICY]: 'detach-on-delete' });
    expect(environment.reconciles).toHaveLength(1);
    await deleted(environment);
    expect([stored(environment), environment.azure.count('DELETE')]).toEqual([undefined, 0]);
  }));
  row('Namespace', 'for objects without an annotation of their own', inEnvironment(async (environment) => {
    await environment.cluster.create(NAMESPACES, namespaced({}));
    await readyGroup(environment);
    await annotate(environment, { [POLICY]: 'skip' }, NAMESPACES, 'default');
    await edit(environment, { tags: { edited: 'x' } });
    expect(environment.azure.count('PUT')).toBe(1);
    await annotate(environment, { [POLICY]: null }, NAMESPACES, 'default');
    expect(environment.azure.count('PUT')).toBe(2);
  }));
  row('no finalizer', 'and deletionTimestamp: nothing to do', inEnvironment(async (environment) => {
    await environment.cluster.create(IDENTITIES, identity());
    await environment.start();
    await deleted(environment, IDENTITIES, 'id');
    expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
    expect(environment.azure.requests).toEqual([]);
  }));
});

table('docs/spec/deletion.md#deletion', (row) => {
  row(
    'policy',
    'forbids it: the finalizer goes, no call',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await annotate(environment, { [POLICY]: 'detach-on-delete' });
      const before = environment.azure.requests.length;
      await deleted(environment);
      expect([stored(environment), environment.azure.requests.length]).toEqual([undefined, before]);
    }),
  );
  row(
    'no finalizer',
    'done',
    inEnvironment(async (environment) => {
      const child = group();
      await environment.cluster.create(GROUPS, { ...child, metadata: { ...child.metadata, finalizers: ['somebody.else/finalizer'] } });
      environment.credential = undefined;
      await environment.start();
      await deleted(environment);
      expect(stored(environment)!.metadata.finalizers).toEqual(['somebody.else/finalizer']);
      expect(environment.reconciles.at(-1)!.result).toEqual({ kind: 'done' });
    }),
  );
  row(
    'action',
    'a delete token: monitor; else begin',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', accepted);
      await deleted(environment);
      expect(environment.reconciles.at(-1)!.actions).toEqual(['read', 'delete']);
      operation(environment, { body: { status: 'InProgress' } });
      await environment.clock.advance(1_000);
      expect(environment.reconciles.at(-1)!.actions).toEqual(['poll']);
    }),
  );
  row(
    'empty result',
    'the finalizer goes, those of others stay',
    inEnvironment(async (environment) => {
      const child = group();
      await environment.cluster.create(GROUPS, { ...child, metadata: { ...child.metadata, finalizers: ['somebody.else/finalizer'] } });
      await environment.start();
      await deleted(environment);
      expect(stored(environment)!.metadata.finalizers).toEqual(['somebody.else/finalizer']);
      expect(environment.azure.count('DELETE')).toBe(1);
    }),
  );
  row(
    'Deleting',
    'after the call',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      const during: unknown[] = [];
      environment.azure.before = ({ method }) => method === 'DELETE' && during.push(ready(environment)!.reason);
      answering(environment, 'DELETE', accepted);
      await deleted(environment);
      expect([...during, ready(environment)!.reason]).toEqual(['Succeeded', 'Deleting']);
    }),
  );
  row(
    'error',
    'the condition, and event DeleteActionError',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 409, body: failing('ScopeLocked') });
      await deleted(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'ScopeLocked' });
      expect(environment.events.at(-1)).toMatchObject({
        type: 'Warning',
        reason: 'DeleteActionError',
        message: expect.stringContaining('RetryClassification: RetryVerySlow'),
      });
    }),
  );
});

table('docs/spec/deletion.md#delete-request', (row) => {
  row('event', 'BeginDelete', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await deleted(environment);
    expect(environment.events.at(-1)).toEqual({ type: 'Normal', reason: 'BeginDelete', message: 'Starting delete of resource' });
  }));
  row('no resource-id', 'done: nothing was created', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await annotate(environment, { [RESOURCE_ID]: null });
    const before = environment.azure.requests.length;
    await deleted(environment);
    expect([stored(environment), environment.azure.requests.length]).toEqual([undefined, before]);
  }));
  row('another object', '(better: what only another object has made stays)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'PUT', { status: 409, body: failing('InvalidResourceGroupLocation') });
    await environment.cluster.create(GROUPS, object(GROUPS, 'other', { location: 'elsewhere', azureName: 'rg' }));
    await settled();
    expect(environment.ready(GROUPS, 'other')).toMatchObject({ status: 'False', reason: 'InvalidResourceGroupLocation' });
    await environment.cluster.delete(GROUPS, 'other', 'default');
    await settled();
    expect([environment.stored(GROUPS, 'other'), environment.azure.count('DELETE')]).toEqual([undefined, 0]);
  }));
  row('subscription', '(better: a mismatch is a Warning that is tried again)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'SubscriptionMismatch' });
    environment.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
    await environment.clock.advance(1_000);
    expect(stored(environment)).toBeUndefined();
  }));
  // More of it: test/controller/reconcile/own-id.test.ts
  row('own id', '(better: another id in the annotation is a Warning, and nothing is sent)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await annotate(environment, { [RESOURCE_ID]: `${GROUP_ID}2` });
    const before = environment.azure.requests.length;
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed', message: expect.stringContaining('nothing is deleted') });
    expect(environment.azure.requests).toHaveLength(before);
  }));
  /** The requests of the deletion of a group that is not in Azure any more, so long after its PUT. */
  const missing = (wait: number, expected: readonly string[], isRead = false) => inEnvironment(async (environment) => {
    environment.azure.answersWithoutId = isRead;
    await readyGroup(environment);
    await environment.clock.advance(wait);
    environment.azure.resources.clear();
    const before = environment.azure.requests.length;
    await deleted(environment);
    expect(stored(environment)).toBeUndefined();
    expect(environment.azure.requests.slice(before)).toEqual(expected.map((method) => `${method} ${GROUP_ID}`));
  });
  row('GET', '404 is done', missing(0, ['GET'], true));
  row('GET', '404 is done half an hour after a PUT whose resource no read has shown', missing(HOUR / 2, ['GET']));
  row('GET', '404 before that: the DELETE is sent', missing(HOUR / 2 - 1, ['GET', 'DELETE']));
  row('GET', 'other errors are ignored', inEnvironment(async (environment) => {
    await readyGroup(environment);
    const giveBack = answering(environment, 'GET', { status: 500, body: failing('Broken') });
    environment.azure.before = ({ method }) => void (method === 'DELETE' && giveBack());
    await deleted(environment);
    expect([stored(environment), environment.azure.count('DELETE')]).toEqual([undefined, 1]);
  }));
  row('GET', '(better: what Azure deletes already is not asked for again)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'GET', { body: { properties: { provisioningState: 'Deleting' } } });
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Info', reason: 'Deleting' });
    expect(environment.azure.count('DELETE')).toBe(0);
  }));
  row('DELETE', '404 is done', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 404, body: failing('ResourceNotFound') });
    await deleted(environment);
    expect(stored(environment)).toBeUndefined();
  }));
  row('DELETE', 'another refusal is classified, a Warning at most', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 400, body: failing('LocationRequired') });
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'LocationRequired' });
    expect(waits(environment).at(-1)).toBe(1_000);
  }));
  row('token', 'with the delete id; requeue after Retry-After', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { ...accepted, headers: { ...accepted.headers, 'retry-after': '33' } });
    await deleted(environment);
    expect([annotation(stored(environment)!, POLLER_ID), waits(environment).at(-1)]).toEqual(['GenericClient.DeleteByID', 33_000]);
  }));
  row('monitor', 'an event each reconcile, one poll, then the finalizer goes', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', accepted);
    await deleted(environment);
    operation(environment, { body: { status: 'InProgress' } }, { body: { status: 'Succeeded' } });
    environment.azure.resources.clear();
    await environment.clock.advance(1_000);
    expect(environment.events.at(-1)).toEqual({ type: 'Normal', reason: 'MonitorDelete', message: 'Continue monitoring deletion' });
    await environment.clock.advance(2_000);
    expect(stored(environment)).toBeUndefined();
  }));
  row('monitor', 'a failure clears the token; the next reconcile begins with the GET', inEnvironment(async (environment) => {
    environment.azure.answersWithoutId = true;
    await readyGroup(environment);
    answering(environment, 'DELETE', accepted);
    await deleted(environment);
    operation(environment, { body: { status: 'Failed', error: { code: 'Conflict', message: 'no' } } });
    await environment.clock.advance(1_000);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
    expect(annotation(stored(environment)!, POLLER_TOKEN)).toBeUndefined();
    environment.azure.resources.clear();
    const before = environment.azure.requests.length;
    await environment.clock.advance(1_000);
    expect(stored(environment)).toBeUndefined();
    expect(environment.azure.requests.slice(before)).toEqual([`GET ${GROUP_ID}`]);
  }));
  row('monitor', '(better: a poll that fails keeps the token)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', accepted);
    await deleted(environment);
    operation(environment, { status: 503, body: failing('Busy') }, { body: { status: 'Succeeded' } });
    environment.azure.resources.clear();
    await environment.clock.advance(10_000);
    expect(stored(environment)).toBeUndefined();
    expect(environment.azure.count('DELETE')).toBe(1);
  }));
  row('PUT running', 'the DELETE is sent all the same, its token takes the place', inEnvironment(async (environment) => {
    environment.azure.polls = 9;
    await createdGroup(environment);
    expect(annotation(stored(environment)!, POLLER_ID)).toBe('GenericClient.CreateOrUpdateByID');
    answering(environment, 'DELETE', accepted);
    await deleted(environment);
    expect(annotation(stored(environment)!, POLLER_ID)).toBe('GenericClient.DeleteByID');
  }));
});

table('docs/spec/deletion.md#kinds-without-delete', (row) => {
  row(
    'no resource-id or 404',
    'done',
    inEnvironment(async (environment) => {
      await readyBlobs(environment);
      environment.azure.resources.clear();
      await deleted(environment, BLOBS, 'blobs');
      expect(environment.stored(BLOBS, 'blobs')).toBeUndefined();
    }),
  );
  row(
    'condition',
    'DeletionNotSupportedInAzure, VerySlow, event NotPossibleInAzure',
    inEnvironment(async (environment) => {
      await readyBlobs(environment);
      await deleted(environment, BLOBS, 'blobs');
      const message =
        "Resource does not support deletion in Azure; set annotation 'serviceoperator.azure.com/reconcile-policy: detach-on-delete'"
        + ' to permit deletion in Kubernetes';
      expect(environment.ready(BLOBS, 'blobs')).toMatchObject({ severity: 'Warning', reason: 'DeletionNotSupportedInAzure', message });
      expect(environment.events.at(-1)).toEqual({ type: 'Normal', reason: 'NotPossibleInAzure', message });
      expect([waits(environment).at(-1), environment.azure.count('DELETE')]).toEqual([HOUR, 0]);
    }),
  );
  row(
    'condition',
    'detach-on-delete frees it (better: at once)',
    inEnvironment(async (environment) => {
      await readyBlobs(environment);
      await deleted(environment, BLOBS, 'blobs');
      await annotate(environment, { [POLICY]: 'detach-on-delete' }, BLOBS, 'blobs');
      expect([environment.stored(BLOBS, 'blobs'), environment.azure.count('DELETE')]).toEqual([undefined, 0]);
    }),
  );
  row(
    'condition',
    '(better: once the owner object is gone, it is looked at every few seconds)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.kill();
      environment.azure.resources.set(`${ACCOUNT}/blobServices/default`.toLowerCase(), { body: {}, polls: 0 });
      const annotations = { [RESOURCE_ID]: `${ACCOUNT}/blobServices/default`, 'serviceoperator.azure.com/operator-namespace': 'aso' };
      const orphan = object(BLOBS, 'blobs', { owner: { name: 'gone' } }, annotations);
      await environment.cluster.create(BLOBS, { ...orphan, metadata: { ...orphan.metadata, finalizers: [FINALIZER] } });
      await environment.cluster.delete(BLOBS, 'blobs', 'default');
      await environment.start();
      expect(environment.reconciles.find(({ key }) => key.name === 'blobs')).toMatchObject({ nextIn: 1_000 });
    }),
  );
  row('kinds', 'are those of the catalog without DELETE', () => {
    const without = Catalog.default()
      .allKinds.filter(({ latest }) => latest.isArm && !latest.supports('DELETE'))
      .map(({ group: api, kind }) => `${api.split('.')[0]}/${kind}`);
    expect(without).toHaveLength(26);
    expect(without).toEqual(
      expect.arrayContaining([
        'storage/StorageAccountsBlobService',
        'storage/StorageAccountsQueueService',
        'storage/StorageAccountsTableService',
        'storage/StorageAccountsFileService',
        'sql/ServersAuditingSetting',
        'sql/ServersDatabasesTransparentDataEncryption',
        'sql/ServersConnectionPolicy',
        'sql/ServersEncryptionProtector',
        'dbformysql/FlexibleServersConfiguration',
        'dbforpostgresql/FlexibleServersConfiguration',
        'dbformariadb/Configuration',
        'documentdb/SqlDatabaseThroughputSetting',
        'insights/PricingPlan',
        'appconfiguration/Snapshot',
        'quota/Quota',
      ]),
    );
  });
});

table('docs/spec/deletion.md#owners-and-children', (row) => {
  const both = async (environment: TestEnvironment) => inReadyGroup(environment, IDENTITIES, identity());
  row(
    'owner deleted',
    'in Azure, then its finalizer goes; a child finds 404',
    inEnvironment(async (environment) => {
      environment.azure.answersWithoutId = true;
      await both(environment);
      await deleted(environment);
      expect(stored(environment)).toBeUndefined();
      environment.azure.resources.clear();
      await deleted(environment, IDENTITIES, 'id');
      expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
      expect(environment.azure.requests.at(-1)).toBe(`GET ${IDENTITY_ID}`);
      expect(environment.azure.count('DELETE', '/id')).toBe(0);
    }),
  );
  row(
    'foreground',
    'children do not block the owner',
    inEnvironment(async (environment) => {
      await both(environment);
      expect(environment.stored(IDENTITIES, 'id')!.metadata.ownerReferences![0]).not.toHaveProperty('blockOwnerDeletion');
    }),
  );
  row(
    'child while owner',
    'independent: its resource-id is enough',
    inEnvironment(async (environment) => {
      await both(environment);
      answering(environment, 'DELETE', accepted, `${GROUP_ID}`);
      const giveBack = answering(environment, 'DELETE', { status: 200, headers: { 'x-ms-request-id': 'r' } }, 'userAssignedIdentities');
      await deleted(environment);
      environment.azure.after = ({ method, url }) => void (method === 'DELETE' && environment.azure.resources.delete(url.toLowerCase()));
      await deleted(environment, IDENTITIES, 'id');
      expect([stored(environment) !== undefined, environment.stored(IDENTITIES, 'id')]).toEqual([true, undefined]);
      giveBack();
    }),
  );
  row(
    'owner object gone',
    'no effect on the deletion',
    inEnvironment(async (environment) => {
      await both(environment);
      await annotate(environment, { [POLICY]: 'detach-on-delete' });
      await deleted(environment);
      await deleted(environment, IDENTITIES, 'id');
      expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
      expect(environment.azure.count('DELETE', '/id')).toBe(1);
    }),
  );
  row(
    'owner gone, child not',
    'the next PUT fails with ReferenceNotFound',
    inEnvironment(async (environment) => {
      await both(environment);
      await annotate(environment, { [POLICY]: 'detach-on-delete' });
      await deleted(environment);
      await edit(environment, { tags: {} }, IDENTITIES, 'id');
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound' });
    }),
  );
  row(
    'credential missing',
    'blocked with a Warning until it returns, or the policy changes',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = undefined;
      await deleted(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'CredentialNotFound' });
      await annotate(environment, { [POLICY]: 'skip' });
      expect(stored(environment)).toBeUndefined();
    }),
  );
  row(
    'namespace deleted',
    '(better: the credential Secret stays until its objects are gone: test/controller/reconcile/credential-guard.test.ts)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = undefined;
      await deleted(environment);
      environment.credential = { subscriptionId: '11111111-1111-1111-1111-111111111111' };
      await environment.clock.advance(1_000);
      expect(stored(environment)).toBeUndefined();
    }),
  );
});
