import {
  ADMINISTRATORS, ALIASES, annotate, answering, configMap, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, namespaced, POLICY,
  readyGroup, refusedGroup, secret, server, SERVERS, waits,
} from './arrange';
import asoControllerNames from './aso-controller-names.json';
import { inEnvironment, table } from './table';
import { controllerName } from '../../controller/reconcile/object-key';
import { KubernetesError } from '../../engine/kubernetes/types';
import { annotation, CREATE_POLLER, DELETE_POLLER } from '../../engine/objects/annotations';
import {
  ADOPT, AZURE_NAME_FROM_CONFIG, CHILD_RESOURCE_ID_OVERRIDE, CREDENTIAL_FROM, FINALIZER, LATEST_GENERATION,
  OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, RESOURCE_ID,
} from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { settled } from '../controller/reconcile/fake-clock';
import {
  CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, NAMESPACES, object, SECRETS, type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;
const noted = (environment: TestEnvironment, key: string) => annotation(stored(environment), key);
const BI_TOKEN = 'serviceoperator.azure.com/bi-poller-resume-token';
/** Reconciles that an event starts. */
const reconcilesOf = async (environment: TestEnvironment, act: () => Promise<unknown>) => {
  const before = environment.reconciles.length;
  await act();
  await settled();
  return environment.reconciles.length - before;
};

table('docs/spec/objects.md#finalizer', (row) => {
  row('finalizer', 'stored before the first PUT, gone with the object', inEnvironment(async (environment) => {
    const finalizers: unknown[] = [];
    environment.azure.before = ({ method }) => method === 'PUT' && finalizers.push(stored(environment).metadata.finalizers);
    await readyGroup(environment);
    expect(finalizers).toEqual([['serviceoperator.azure.com/finalizer']]);
    await deleted(environment);
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  }));
});

table('docs/spec/objects.md#annotations', (row) => {
  row(
    'reconcile-policy',
    'read from the object',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [POLICY]: 'skip' });
      expect(environment.azure.count('PUT')).toBe(0);
    }),
  );
  row(
    'credential-from',
    'a change starts a reconcile',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(await reconcilesOf(environment, () => annotate(environment, { [CREDENTIAL_FROM]: 'mine' }))).toBe(1);
      expect(await reconcilesOf(environment, () => annotate(environment, { [CREDENTIAL_FROM]: null }))).toBe(1);
    }),
  );
  row(
    'operator-namespace',
    'whose object it is',
    inEnvironment(async (environment) => {
      await createdGroup(environment, undefined, { operatorNamespace: 'mine' });
      expect(noted(environment, OPERATOR_NAMESPACE)).toBe('mine');
    }),
  );
  row(
    'resource-id',
    'the full ARM id, from the claim on',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(noted(environment, RESOURCE_ID)).toBe(GROUP_ID);
    }),
  );
  row(
    'resource-id',
    '(better: taken away by hand, it is found again)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await annotate(environment, { [RESOURCE_ID]: null, [OPERATOR_NAMESPACE]: null });
      expect(noted(environment, RESOURCE_ID)).toBe(GROUP_ID);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'child-resource-id-override',
    'set by an alias: the subscription that it made',
    inEnvironment(async (environment) => {
      environment.types.push(ALIASES);
      const body = { properties: { subscriptionId: '33333333-3333-3333-3333-333333333333', provisioningState: 'Succeeded' } };
      answering(environment, 'GET', { body }, '/providers/Microsoft.Subscription/aliases/sub');
      await environment.cluster.create(ALIASES, object(ALIASES, 'sub', { properties: { displayName: 'x' } }));
      await environment.start();
      expect(annotation(environment.stored(ALIASES, 'sub')!, CHILD_RESOURCE_ID_OVERRIDE)).toBe(
        '/subscriptions/33333333-3333-3333-3333-333333333333',
      );
    }),
  );
  row(
    'poller-resume-token',
    'while an operation runs, with its id; both go together',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      expect([noted(environment, POLLER_TOKEN), noted(environment, POLLER_ID)]).toEqual([
        expect.stringContaining('/operations/'),
        CREATE_POLLER,
      ]);
      await environment.clock.advance(1_000);
      expect([noted(environment, POLLER_TOKEN), noted(environment, POLLER_ID)]).toEqual([undefined, undefined]);
    }),
  );
  row(
    'poller-resume-id',
    'of a PUT and of a DELETE',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 202, headers: { location: 'https://arm.test/operations/x' } });
      await deleted(environment);
      expect(noted(environment, POLLER_ID)).toBe(DELETE_POLLER);
      expect([CREATE_POLLER, DELETE_POLLER]).toEqual(['GenericClient.CreateOrUpdateByID', 'GenericClient.DeleteByID']);
    }),
  );
  row(
    'latest-reconciled-generation',
    'of the spec that was last in a PUT',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { tags: { a: 'b' } });
      expect(noted(environment, LATEST_GENERATION)).toBe('2');
    }),
  );
  row(
    'azure-name-from-config',
    'the name that the claim has read',
    inEnvironment(async (environment) => {
      environment.types.push(ADMINISTRATORS);
      const owner = { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` };
      await environment.cluster.create(CONFIG_MAPS, configMap('names', { name: 'the-name' }));
      await environment.cluster.create(
        ADMINISTRATORS,
        object(ADMINISTRATORS, 'admin', { owner, azureNameFromConfig: { name: 'names', key: 'name' } }),
      );
      await environment.start();
      const { annotations } = environment.stored(ADMINISTRATORS, 'admin')!.metadata;
      expect(annotations).toMatchObject({ [AZURE_NAME_FROM_CONFIG]: 'the-name', [RESOURCE_ID]: `${owner.armId}/administrators/the-name` });
    }),
  );
  row(
    'bi-poller-resume-token',
    'of a kind without such a check: left as it is',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [BI_TOKEN]: 'token' });
      expect(noted(environment, BI_TOKEN)).toBe('token');
    }),
  );
});

table('docs/spec/objects.md#labels', (row) => {
  const labels = async (environment: TestEnvironment, owner: string) => {
    await environment.cluster.create(GROUPS, group(owner));
    await environment.cluster.create(IDENTITIES, identity('id', { owner: { name: owner } }));
    await environment.start();
    return environment.stored(IDENTITIES, 'id')!.metadata.labels!;
  };
  const name = `${'a'.repeat(60)}-b-c-d`;
  row('owner-name', 'cut to 63 characters, ending in a letter or digit', inEnvironment(async (environment) => {
    expect((await labels(environment, name))['serviceoperator.azure.com/owner-name']).toBe(`${'a'.repeat(60)}-b`);
  }));
  row('owner-group-kind', '<Kind>.<group>', inEnvironment(async (environment) => {
    expect((await labels(environment, 'rg'))['serviceoperator.azure.com/owner-group-kind']).toBe('ResourceGroup.resources.azure.com');
  }));
  row('owner-uid', 'of the ownerReference', inEnvironment(async (environment) => {
    expect((await labels(environment, 'rg'))['serviceoperator.azure.com/owner-uid']).toBe(stored(environment).metadata.uid);
  }));
  row('last-reconciled-version', 'the controller\'s build', inEnvironment(async (environment) => {
    expect(await labels(environment, 'rg')).toMatchObject({ 'serviceoperator.azure.com/last-reconciled-version': 'test' });
  }));
});

table('docs/spec/objects.md#triggers', (row) => {
  row(
    'created',
    'a new object, and every object at the start',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(await reconcilesOf(environment, () => environment.cluster.create(GROUPS, group('rg2')))).toBe(1);
      await environment.kill();
      expect(await reconcilesOf(environment, () => environment.start())).toBe(2);
    }),
  );
  row(
    'updated',
    'a new generation',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(await reconcilesOf(environment, () => edit(environment, { tags: {} }))).toBe(1);
    }),
  );
  row(
    'updated',
    'the policy, to or from skip',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      for (const [value, reconciles] of [
        ['detach-on-delete', 0],
        ['skip', 1],
        ['manage', 1],
        [null, 0],
      ] as const) {
        expect([value, await reconcilesOf(environment, () => annotate(environment, { [POLICY]: value }))]).toEqual([value, reconciles]);
      }
    }),
  );
  row(
    'deleted',
    'a deletionTimestamp',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', { status: 409, body: failing('Conflict') });
      expect(await reconcilesOf(environment, () => deleted(environment))).toBe(1);
    }),
  );
  row(
    'Secret or ConfigMap',
    'of the namespace, which the spec names',
    inEnvironment(async (environment) => {
      environment.types.push(SERVERS);
      await environment.cluster.create(SECRETS, secret('passwords', { db: 'one' }));
      await inReadyGroup(environment, SERVERS, server());
      const { metadata } = environment.stored(SECRETS, 'passwords')!;
      const data = { db: Buffer.from('two').toString('base64') };
      expect(
        await reconcilesOf(environment, () => environment.cluster.replace(SECRETS, { ...secret('passwords', {}), data, metadata })),
      ).toBe(1);
      expect(environment.azure.bodies.at(-1)).toMatchObject({ properties: { administratorLoginPassword: 'two' } });
      expect(await reconcilesOf(environment, () => environment.cluster.create(SECRETS, secret('others', { db: 'x' })))).toBe(0);
      const elsewhere = { ...secret('passwords', { db: 'x' }), metadata: { name: 'passwords', namespace: 'elsewhere' } };
      expect(await reconcilesOf(environment, () => environment.cluster.create(SECRETS, elsewhere))).toBe(0);
    }),
  );
  row(
    'Namespace',
    'its policy to or from skip, for objects without one of their own',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      const own = group('rg2');
      await environment.cluster.create(GROUPS, { ...own, metadata: { ...own.metadata, annotations: { [POLICY]: 'manage' } } });
      await settled();
      expect(await reconcilesOf(environment, () => environment.cluster.create(NAMESPACES, namespaced({})))).toBe(0);
      for (const [value, reconciles] of [
        ['detach-on-delete', 0],
        ['skip', 1],
        [null, 1],
      ] as const) {
        expect([value, await reconcilesOf(environment, () => annotate(environment, { [POLICY]: value }, NAMESPACES, 'default'))]).toEqual([
          value,
          reconciles,
        ]);
      }
    }),
  );
  row(
    'lost resource',
    'the end of another object with the same ARM id, under manage',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      for (const [policy, reconciles] of [['manage', 1], ['detach-on-delete', 0]] as const) {
        await environment.cluster.create(GROUPS, object(GROUPS, 'other', { location: 'westeurope', azureName: 'rg' }, { [POLICY]: policy }));
        await settled();
        environment.azure.requests.length = 0;
        await environment.cluster.delete(GROUPS, 'other', 'default');
        await settled();
        const { key } = environment.reconciles.at(-1)!;
        expect([policy, key.name === 'rg', environment.azure.count('PUT')]).toEqual([policy, reconciles === 1, reconciles]);
      }
    }),
  );
  row(
    'lost resource',
    'what lay in a resource that a read does not find',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      environment.azure.resources.clear();
      await annotate(environment, { [ADOPT]: 'OrCreate' });
      await settled();
      expect([...environment.azure.resources.keys()]).toEqual([GROUP_ID, IDENTITY_ID].map((id) => id.toLowerCase()));
    }),
  );
  row(
    'timer',
    'what the reconcile before it has decided',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(await reconcilesOf(environment, () => environment.clock.advance(HOUR))).toBe(1);
    }),
  );
  row(
    'not triggers',
    'labels, other annotations, the status, a Ready owner that changes',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      expect(await reconcilesOf(environment, () => annotate(environment, { whatever: 'x' }))).toBe(0);
      const labels = { metadata: { labels: { a: 'b' } } };
      expect(
        await reconcilesOf(environment, () => environment.cluster.patch(GROUPS, 'rg', 'default', labels, 'application/merge-patch+json')),
      ).toBe(0);
      const status = { ...stored(environment).status, tags: {} };
      expect(await reconcilesOf(environment, () => environment.cluster.replaceStatus(GROUPS, { ...stored(environment), status }))).toBe(0);
    }),
  );
  row(
    'not triggers',
    '(better: an owner that becomes Ready, a reference that gets its id and a credential that comes start those that wait)',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      await environment.cluster.create(GROUPS, group());
      await settled();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
      expect(environment.clock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'));
    }),
  );
  row(
    'one queue',
    '(better: one queue for all; so many workers a kind, and one reconcile of an object at a time)',
    inEnvironment(async (environment) => {
      let open = 0;
      let most = 0;
      const send = environment.azure.send.bind(environment.azure);
      environment.azure.send = async (request) => {
        most = Math.max(most, ++open);
        await settled();
        open -= 1;
        return send(request);
      };
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await environment.cluster.create(GROUPS, group(name));
      await environment.start();
      while (environment.reconciles.length < 6) await settled();
      expect(most).toBe(4);
    }),
  );
  row('one queue', 'names of controllers, as in ASO\'s source', () => {
    const kinds = Catalog.default().allKinds.map(({ group: api, kind }) => [`${api}/${kind}`, controllerName(api, kind)] as const);
    const { names }: { names: Readonly<Record<string, string>> } = asoControllerNames;
    expect(kinds.filter(([kind, name]) => names[kind] !== undefined && names[kind] !== name)).toEqual([]);
    const unknown = kinds.filter(([kind]) => names[kind] === undefined);
    expect([kinds.length - unknown.length, unknown.map(([kind]) => kind)]).toEqual([
      Object.keys(names).length,
      // A kind that ASO has not.
      ['databases.aso.cdk8s.io/DatabaseAccess'],
    ]);
  });
});

table('docs/spec/reconcile.md#steps', (row) => {
  row(
    'read',
    'an object that is gone is done',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      await deleted(environment, IDENTITIES, 'id');
      expect(await reconcilesOf(environment, () => environment.clock.advance(HOUR))).toBe(0);
    }),
  );
  row(
    'ownership',
    'goes before everything, deletion too',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.kill();
      await environment.start({ operatorNamespace: 'other' });
      await deleted(environment);
      expect(environment.azure.count('DELETE')).toBe(0);
      expect(stored(environment).metadata.finalizers).toEqual([FINALIZER]);
    }),
  );
  row(
    'branch',
    'deletionTimestamp: section 8, else section 4',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await deleted(environment);
      expect(environment.azure.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE', 'GET']);
    }),
  );
  row(
    'error',
    'a Kubernetes Conflict is not shown',
    inEnvironment(async (environment) => {
      let conflicts = 1;
      environment.cluster.before = (what) => {
        if (what === 'status ResourceGroup' && conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'modified');
      };
      await createdGroup(environment);
      expect(environment.errors.splice(0)).toHaveLength(1);
      expect(ready(environment)).toBeUndefined();
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'error',
    'any other becomes the condition, its message the text of the cause alone',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict', 'the cause'));
      expect(ready(environment)!.message).toBe('the cause');
    }),
  );
  row(
    'success',
    'Ready at the current generation',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(ready(environment)).toMatchObject({ status: 'True', reason: 'Succeeded', observedGeneration: 1 });
    }),
  );
  row(
    'next interval',
    'the sync period from the PUT on after a success, what was asked for after a requeue',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(waits(environment)).toEqual([1_000, HOUR - 1_000]);
    }),
  );
  row(
    'write',
    'main object first, then the status; nothing where nothing differs',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(environment.cluster.writes.slice(-2)).toEqual(['patch ResourceGroup/rg', 'status ResourceGroup/rg']);
      environment.azure.polls = 5;
      await edit(environment, { tags: { edited: 'x' } });
      const before = environment.cluster.writes.length;
      await environment.clock.advance(3_000);
      expect(environment.azure.count('GET', GROUP_ID)).toBeGreaterThan(1);
      expect(environment.cluster.writes).toHaveLength(before);
    }),
  );
  row(
    'write',
    'NotFound is ignored',
    inEnvironment(async (environment) => {
      environment.cluster.before = (what) => {
        if (what === 'status ResourceGroup') throw new KubernetesError(404, 'NotFound', 'gone');
      };
      await createdGroup(environment);
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
});

table('docs/spec/reconcile.md#operator-ownership', (row) => {
  row(
    'absent',
    'written (better: in the same write as the claim, not in a reconcile of its own)',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(environment.cluster.writes).toEqual([
        'create ResourceGroup/rg',
        'patch ResourceGroup/rg',
        'patch ResourceGroup/rg',
        'status ResourceGroup/rg',
      ]);
      expect(noted(environment, OPERATOR_NAMESPACE)).toBe('aso');
    }),
  );
  row(
    'equal',
    'goes on',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [OPERATOR_NAMESPACE]: 'aso' });
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'different',
    'an event; no requeue, no condition, no write',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [OPERATOR_NAMESPACE]: 'other' });
      expect(environment.events).toMatchObject([{ type: 'Warning', reason: 'Overlap' }]);
      expect(waits(environment)).toEqual([undefined]);
      expect(ready(environment)).toBeUndefined();
      expect(environment.cluster.writes).toEqual(['create ResourceGroup/rg']);
    }),
  );
  row(
    'handing over',
    'the annotation is removed by hand (better: that starts a reconcile)',
    inEnvironment(async (environment) => {
      await createdGroup(environment, { [OPERATOR_NAMESPACE]: 'other' });
      await annotate(environment, { [OPERATOR_NAMESPACE]: null });
      expect(noted(environment, OPERATOR_NAMESPACE)).toBe('aso');
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
});
