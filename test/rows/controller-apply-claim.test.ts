import {
  account, ADMINISTRATORS, answering, configMap, createdGroup, deleted, edit, failing, inReadyGroup, POLICY, readyGroup, refusedGroup,
  running, waits,
} from './arrange';
import { inEnvironment, table } from './table';
import { annotation } from '../../engine/objects/annotations';
import { FINALIZER, LAST_VERSION_LABEL, RESOURCE_ID } from '../../src/azure/annotations';
import { SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS, CONFIG_MAPS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const stored = (environment: TestEnvironment) => environment.stored(GROUPS, 'rg')!;

table('docs/spec/reconcile.md#create-or-update', (row) => {
  row('claim', 'and the finalizer, before anything else; its failure ends the reconcile', inEnvironment(async (environment) => {
    await environment.cluster.create(IDENTITIES, identity());
    await environment.start();
    expect(environment.stored(IDENTITIES, 'id')!.metadata.finalizers).toBeUndefined();
    expect(environment.azure.requests).toEqual([]);
  }));
  row('version label', 'set', inEnvironment(async (environment) => {
    await readyGroup(environment);
    expect(stored(environment).metadata.labels).toMatchObject({ [LAST_VERSION_LABEL]: 'test' });
  }));
  row('skip', 'the refresh-only path', inEnvironment(async (environment) => {
    await createdGroup(environment, { [POLICY]: 'skip' });
    expect(environment.azure.requests).toEqual([`GET ${GROUP_ID}`]);
  }));
  row('Reconciling', 'by the normal rule: a Warning of the same generation stays', inEnvironment(async (environment) => {
    const giveBack = answering(environment, 'PUT', { status: 409, body: failing('Conflict') });
    await createdGroup(environment);
    giveBack();
    running(environment);
    await environment.clock.advance(1_000);
    expect(ready(environment)).toMatchObject({ reason: 'Conflict' });
  }));
  row('action', 'in the same reconcile', inEnvironment(async (environment) => {
    await readyGroup(environment);
    expect(environment.reconciles.map(({ actions }) => actions)).toEqual([['resolve', 'persist', 'put', 'complete']]);
  }));
});

table('docs/spec/reconcile.md#claim', (row) => {
  const ownerText = 'Owner "rg, Group/Kind: resources.azure.com/ResourceGroup"';
  row(
    'owner check',
    'a missing owner',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      const message = `${ownerText} cannot be found. Progress is blocked until the owner is created.`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
      expect(waits(environment)).toEqual([30_000]);
    }),
  );
  row(
    'owner check',
    'one that is not Ready (better: the text says so)',
    inEnvironment(async (environment) => {
      running(environment);
      await environment.cluster.create(GROUPS, group());
      await environment.cluster.create(IDENTITIES, identity());
      await environment.start();
      const message = `${ownerText} is not ready. Progress is blocked until the owner is ready.`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner', message });
    }),
  );
  row(
    'owner check',
    'none for an owner by ARM id',
    inEnvironment(async (environment) => {
      await environment.cluster.create(IDENTITIES, identity('id', { owner: { armId: GROUP_ID } }));
      await environment.start();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'ownerReference',
    'stored, also where a later step of the claim fails',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = undefined;
      await environment.cluster.create(IDENTITIES, identity());
      await settled();
      const { ownerReferences, finalizers } = environment.stored(IDENTITIES, 'id')!.metadata;
      expect([ownerReferences!.length, finalizers]).toEqual([1, undefined]);
    }),
  );
  row(
    'credential',
    'Warning, Slow; with it an event',
    inEnvironment(async (environment) => {
      environment.credential = undefined;
      await createdGroup(environment);
      expect(environment.reconciles.at(-1)!.result).toMatchObject({ failure: { severity: 'Warning', retry: 'slow' } });
      environment.credential = { subscriptionId: SUBSCRIPTION };
      await environment.clock.advance(1_000);
      expect(environment.events[0]).toEqual({
        type: 'Normal',
        reason: 'CredentialFrom',
        message: 'Using credential from "aso/aso-controller-settings"',
      });
    }),
  );
  row(
    'name from ConfigMap',
    'nothing is claimed without it',
    inEnvironment(async (environment) => {
      const azureNameFromConfig = { name: 'names', key: 'name' };
      environment.types.push(ADMINISTRATORS);
      const owner = { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` };
      await environment.cluster.create(ADMINISTRATORS, object(ADMINISTRATORS, 'admin', { owner, azureNameFromConfig }));
      await environment.start();
      expect(environment.ready(ADMINISTRATORS, 'admin')).toMatchObject({ severity: 'Error', reason: 'Failed' });
      expect(environment.stored(ADMINISTRATORS, 'admin')!.metadata.finalizers).toBeUndefined();
      // A ConfigMap that comes is no trigger in ASO; here it is.
      await environment.cluster.create(CONFIG_MAPS, configMap('names', { name: 'n' }));
      await settled();
      expect(environment.ready(ADMINISTRATORS, 'admin')).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'conversion',
    'what cannot be resolved leaves neither finalizer nor id, and the object can be deleted without a call',
    inEnvironment(async (environment) => {
      const rules = {
        defaultAction: 'Deny',
        virtualNetworkRules: [{ reference: { group: IDENTITIES.group, kind: IDENTITIES.kind, name: 'no' } }],
      };
      await inReadyGroup(environment, ACCOUNTS, account({ networkAcls: rules }));
      const { finalizers, annotations } = environment.stored(ACCOUNTS, 'sa')!.metadata;
      expect([finalizers, annotations![RESOURCE_ID]]).toEqual([undefined, undefined]);
      const before = environment.azure.requests.length;
      await deleted(environment, ACCOUNTS, 'sa');
      expect(environment.stored(ACCOUNTS, 'sa')).toBeUndefined();
      expect(environment.azure.requests).toHaveLength(before);
    }),
  );
  row(
    'resource-id',
    'and the owner labels',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      const { annotations, labels } = environment.stored(IDENTITIES, 'id')!.metadata;
      expect(annotations).toMatchObject({ [RESOURCE_ID]: IDENTITY_ID });
      expect(Object.keys(labels!)).toEqual(
        expect.arrayContaining(['serviceoperator.azure.com/owner-name', 'serviceoperator.azure.com/owner-uid']),
      );
    }),
  );
  row(
    'finalizer',
    'in the same write',
    inEnvironment(async (environment) => {
      const writes: unknown[] = [];
      environment.cluster.after = (what, now) =>
        what === 'patch ResourceGroup' && writes.push([now.metadata.finalizers, annotation(now, RESOURCE_ID)]);
      await readyGroup(environment);
      expect(writes[0]).toEqual([[FINALIZER], GROUP_ID]);
    }),
  );
});

table('docs/spec/reconcile.md#choice-of-action', (row) => {
  row(
    'Deleting',
    'without a deletionTimestamp: an error',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await environment.kill();
      await environment.cluster.replaceStatus(GROUPS, {
        ...stored(environment),
        status: { conditions: [{ ...ready(environment)!, reason: 'Deleting' }] },
      });
      await environment.start();
      expect(ready(environment)).toMatchObject({
        severity: 'Warning',
        reason: 'Failed',
        message: 'resource is currently deleting; it can not be applied',
      });
      expect(environment.events.at(-1)!.reason).toBe('DetermineCreateOrUpdateActionError');
    }),
  );
  row(
    'token',
    'monitor',
    inEnvironment(async (environment) => {
      running(environment);
      await createdGroup(environment);
      await environment.clock.advance(1_000);
      expect(environment.reconciles.at(-1)!.actions).toEqual(['poll']);
    }),
  );
  row(
    'otherwise',
    'begin',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      await edit(environment, { tags: { edited: 'x' } });
      expect(environment.reconciles.at(-1)!.actions).toEqual(['resolve', 'put', 'complete']);
    }),
  );
  row(
    'event',
    'CreateOrUpdateActionError',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'));
      expect(environment.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'CreateOrUpdateActionError' });
    }),
  );
});
