// A team that names another team's identity gets nothing, and cannot make anyone else get nothing.
import { slimIdentity } from '../../../controller/shards/foreign-objects';
import { IdentityHolders } from '../../../engine/credentials/identity-holders';
import { unknownState, UnknownStateError, WHOLE, type CacheState } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent } from '../../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, LATEST_GENERATION, PROPAGATE_TO, PUT_RECORD, RECONCILE_POLICY } from '../../../src/azure/annotations';

const CLIENT_ID = 'AAAAAAAA-1111-4111-8111-111111111111';

interface Given {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly clientId?: string;
  /** Default: Azure has accepted a PUT. */
  readonly sent?: Readonly<Record<string, string>>;
}

const record = (answered: boolean) => ({ [PUT_RECORD]: JSON.stringify({ digest: 'x', at: '2026-01-01T00:00:00Z', generation: 1, answered }) });

const TO_ANOTHER = { [PROPAGATE_TO]: 'Secret/elsewhere/aso-credential' };

function identity(namespace: string, given: Given = {}): KubernetesObject {
  const { annotations = TO_ANOTHER, creationTimestamp = '2026-01-01T00:00:00Z', clientId = CLIENT_ID, sent = record(true) } = given;
  return {
    apiVersion: 'managedidentity.azure.com/v1api20230131',
    kind: 'UserAssignedIdentity',
    metadata: { name: 'id', namespace, annotations: { ...sent, ...annotations }, creationTimestamp },
    status: { clientId },
  };
}

function setUp(identities: readonly KubernetesObject[], namespaces: Readonly<Record<string, string>> = {}, state: CacheState = WHOLE) {
  const holders = new IdentityHolders({
    identityState: () => state,
    namespace: (name) => {
      const accepted = namespaces[name];
      if (accepted === 'unknown') throw new Error('not known yet');
      return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: accepted === undefined ? {} : { [ACCEPTS_CREDENTIALS_FROM]: accepted } } };
    },
  });
  for (const object of identities) holders.handle({ type: 'ADDED', object });
  return holders;
}

test('an identity is that of its namespace, in any case of the letters; a client id that no object has is nobody\'s', () => {
  const holders = setUp([identity('platform')]);
  expect(holders.withheldFrom('platform', CLIENT_ID)).toBeUndefined();
  expect(holders.withheldFrom('mallory', CLIENT_ID)).toBe('platform/id');
  expect(holders.withheldFrom('mallory', CLIENT_ID.toLowerCase())).toBe('platform/id');
  expect(holders.withheldFrom('mallory', 'bbbbbbbb-1111-4111-8111-111111111111')).toBeUndefined();
});

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ['the identity says nothing of who acts as it', undefined, undefined, undefined],
  ['the identity has targets that are no credentials', 'ServiceAccount/other/app, ConfigMap/other/ids', undefined, undefined],
  ['the identity names a Secret there', 'Secret/other/aso-credential, Secret/shop/aso-credential', undefined, undefined],
  ['the identity names a ConfigMap there', 'Secret/other/aso-credential, ConfigMap/shop/ids', undefined, 'platform/id'],
  ['the identity names a Secret elsewhere', 'Secret/other/aso-credential', undefined, 'platform/id'],
  ['the Namespace accepts the identity', 'Secret/other/aso-credential', 'other, platform/id', undefined],
  ['the Namespace accepts all of that namespace', 'Secret/other/aso-credential', 'platform', undefined],
  ['the Namespace accepts another identity', 'Secret/other/aso-credential', 'platform/other', 'platform/id'],
  ['the Namespace accepts what is no source', 'Secret/other/aso-credential', '*', 'platform/id'],
])('%s', (_, targets, accepted, expected) => {
  const object = identity('platform', { annotations: targets === undefined ? {} : { [PROPAGATE_TO]: targets } });
  expect(setUp([object], accepted === undefined ? {} : { shop: accepted }).withheldFrom('shop', CLIENT_ID)).toBe(expected);
});

test('an object that comes later takes no identity over, neither for its namespace nor from the one that had it', () => {
  const later = identity('mallory', { creationTimestamp: '2026-01-01T00:00:01Z', annotations: { [PROPAGATE_TO]: 'Secret/mallory/aso-credential' } });
  for (const objects of [[identity('shop'), later], [later, identity('shop')]]) {
    const holders = setUp(objects);
    expect(holders.withheldFrom('mallory', CLIENT_ID)).toBe('shop/id');
    expect(holders.withheldFrom('shop', CLIENT_ID)).toBeUndefined();
  }
});

const SENT_BY_ASO = { [LATEST_GENERATION]: '3' };

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['Azure has accepted a PUT', record(true), 'mallory/id'],
  ['ASO has sent it', SENT_BY_ASO, 'mallory/id'],
  ['nothing was sent', {}, undefined],
  ['Azure has accepted no PUT', record(false), undefined],
  ['Azure has accepted no PUT, whatever is said of ASO', { ...record(false), ...SENT_BY_ASO }, undefined],
  ['it is only read', { ...record(true), [RECONCILE_POLICY]: 'skip' }, undefined],
  ['it is only read, and ASO has sent it', { ...SENT_BY_ASO, [RECONCILE_POLICY]: 'skip' }, undefined],
  ['it is kept on deletion', { ...record(true), [RECONCILE_POLICY]: 'detach-on-delete' }, 'mallory/id'],
])('an object that the cluster does not manage keeps nobody from an identity: %s', (_, sent, expected) => {
  expect(setUp([identity('mallory', { sent })]).withheldFrom('shop', CLIENT_ID)).toBe(expected);
  // Replicas that share the work keep some annotations only.
  expect(setUp([slimIdentity(identity('mallory', { sent }))]).withheldFrom('shop', CLIENT_ID)).toBe(expected);
});

test('an older object that is only read does not take the place of the one that manages the identity', () => {
  const reader = identity('mallory', { creationTimestamp: '2025-01-01T00:00:00Z', sent: { [RECONCILE_POLICY]: 'skip' } });
  expect(setUp([reader, identity('platform')]).withheldFrom('mallory', CLIENT_ID)).toBe('platform/id');
});

test('an object holds its identity from the PUT on, until its policy is skip', () => {
  const [claimed, sent] = [identity('platform', { sent: record(false) }), identity('platform')];
  const holders = setUp([claimed]);
  holders.handle({ type: 'MODIFIED', object: sent, previous: claimed });
  expect(holders.withheldFrom('mallory', CLIENT_ID)).toBe('platform/id');
  holders.handle({ type: 'MODIFIED', object: identity('platform', { annotations: { ...TO_ANOTHER, [RECONCILE_POLICY]: 'skip' } }), previous: sent });
  expect(holders.withheldFrom('mallory', CLIENT_ID)).toBeUndefined();
});

test('an object that goes, or gets another client id, holds it no more', () => {
  const object = identity('platform');
  const other = identity('platform', { clientId: 'bbbbbbbb-1111-4111-8111-111111111111' });
  const holders = setUp([object]);
  holders.handle({ type: 'MODIFIED', object: other, previous: object });
  expect(holders.withheldFrom('mallory', CLIENT_ID)).toBeUndefined();
  expect(holders.withheldFrom('mallory', 'bbbbbbbb-1111-4111-8111-111111111111')).toBe('platform/id');
  holders.handle({ type: 'DELETED', object: other });
  expect(holders.withheldFrom('mallory', 'bbbbbbbb-1111-4111-8111-111111111111')).toBeUndefined();
});

test('who waits for an identity hears of a holder that goes, stops to hold it or names other users, and of nothing else', () => {
  let heard = 0;
  const holders = new IdentityHolders({ identityState: () => WHOLE, namespace: () => undefined, onReleased: () => (heard += 1) });
  const [object, other] = [identity('platform'), identity('platform', { annotations: { [PROPAGATE_TO]: 'Secret/shop/aso-credential' } })];
  const skipped = identity('platform', { annotations: { ...TO_ANOTHER, [RECONCILE_POLICY]: 'skip' } });
  const after = (event: ObjectEvent) => {
    holders.handle(event);
    return heard;
  };
  expect(after({ type: 'ADDED', object })).toBe(0);
  expect(after({ type: 'MODIFIED', object: { ...object, status: { ...object.status, principalId: 'x' } }, previous: object })).toBe(0);
  expect(after({ type: 'MODIFIED', object: other, previous: object })).toBe(1);
  expect(after({ type: 'MODIFIED', object: skipped, previous: other })).toBe(2);
  expect(after({ type: 'DELETED', object: skipped })).toBe(2);
  expect(after({ type: 'ADDED', object })).toBe(2);
  expect(after({ type: 'MODIFIED', object: identity('platform', { clientId: 'bbbbbbbb-1111-4111-8111-111111111111' }), previous: object })).toBe(3);
  expect(after({ type: 'DELETED', object: identity('platform', { clientId: 'bbbbbbbb-1111-4111-8111-111111111111' }) })).toBe(4);
});

test('objects of other kinds hold nothing', () => {
  const holders = setUp([{ ...identity('mallory'), kind: 'VirtualMachine' }, { ...identity('mallory'), apiVersion: 'example.com/v1' }]);
  expect(holders.withheldFrom('shop', CLIENT_ID)).toBeUndefined();
});

test('while the identities are not listed, or the Namespace is not known, nothing is told', () => {
  const kind = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' };
  expect(() => setUp([], {}, unknownState(kind, 'refused')).withheldFrom('shop', CLIENT_ID)).toThrow(UnknownStateError);
  expect(() => setUp([identity('platform')], { shop: 'unknown' }).withheldFrom('shop', CLIENT_ID)).toThrow('not known yet');
  // A cluster without the kind has no such objects.
  expect(setUp([], {}, unknownState(kind, 'not served', 'KindNotWatched')).withheldFrom('shop', CLIENT_ID)).toBeUndefined();
});
