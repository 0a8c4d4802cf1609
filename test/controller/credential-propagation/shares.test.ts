import { TestEnvironment } from './environment';
import type { ForeignIdentities } from '../../../controller/credential-propagation/propagation-cache';
import type { Fence, WorkShare } from '../../../controller/reconcile/fence';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import { CREDENTIAL_FINALIZER } from '../../../src/azure/annotations';
import { settled } from '../reconcile/fake-clock';
import { SECRETS } from '../reconcile/harness';

/** A replica that keeps some namespaces in memory, and looks after the identities in them. */
function replica(...kept: string[]) {
  const namespaces = new Set(kept);
  const state = { isFenced: false };
  const share: WorkShare = { owns: ({ namespace }) => namespaces.has(namespace) };
  const fence: Fence = ({ name }) => {
    if (state.isFenced) throw new OwnershipLostError(name);
  };
  const environment: TestEnvironment = new TestEnvironment({}, {
    share,
    fence,
    foreign: {
      keeps: (namespace) => namespaces.has(namespace),
      identityState: { state: 'whole' },
      identities: () => [...environment.cluster.objects.values()].filter(({ kind }) => kind === 'UserAssignedIdentity'),
    } satisfies ForeignIdentities,
  });
  return { environment, namespaces, state };
}

async function propagated(environment: TestEnvironment): Promise<void> {
  await environment.namespace('team-a', 'platform/id');
  await environment.start();
  await environment.identity('id', 'Secret/team-a/aso-credential', 1);
}

test('an identity is propagated into a namespace that is not in memory', async () => {
  const { environment } = replica('platform');
  await propagated(environment);
  expect(environment.find('Secret')).toBeDefined();
});

test('an identity of another replica is not propagated, until this replica looks after it', async () => {
  const { environment, namespaces } = replica('team-a');
  await propagated(environment);
  expect(environment.find('Secret')).toBeUndefined();
  namespaces.add('platform');
  environment.propagator.shareChanged();
  await settled();
  expect(environment.find('Secret')).toBeDefined();
});

test('a Secret in a namespace that is not in memory stays as long as its finalizer says that it is used', async () => {
  const { environment } = replica('platform');
  await propagated(environment);
  const finalizers = (...names: string[]) => environment.cluster.patch(
    SECRETS, 'aso-credential', 'team-a', { metadata: { finalizers: names } }, 'application/merge-patch+json',
  );
  await finalizers(CREDENTIAL_FINALIZER);
  await environment.annotate('id', null);
  await settled();
  expect(environment.find('Secret')).toBeDefined();
  expect(environment.find('Secret')?.metadata.deletionTimestamp).toBeUndefined();
  await finalizers();
  await settled();
  expect(environment.find('Secret')).toBeUndefined();
});

test('nothing is written once another replica looks after the identity, and that is no failure', async () => {
  const { environment, state } = replica('platform');
  state.isFenced = true;
  await propagated(environment);
  expect(environment.find('Secret')).toBeUndefined();
  expect(environment.failures).toEqual([]);
});

test('an identity that leaves the caches is not taken for a deleted one', async () => {
  const { environment, namespaces } = replica('platform');
  await propagated(environment);
  const identity = [...environment.cluster.objects.values()].find(({ kind }) => kind === 'UserAssignedIdentity')!;
  namespaces.delete('platform');
  environment.propagator.released(identity);
  environment.propagator.shareChanged();
  await settled();
  expect(environment.find('Secret')).toBeDefined();
});
