import { CredentialFeeder, type FeedReport } from '../../controller/feed';
import { CLIENT_ID } from '../../controller/feed/contents';
import { SERVICE_ACCOUNTS } from '../../controller/feed/service-accounts';
import { KubernetesError, type KubernetesObject, type ObjectEvent } from '../../controller/kubernetes/types';
import { Cluster, type WatchedType } from '../../controller/reconcile/cluster';
import { FINALIZER, OPERATOR_NAMESPACE } from '../../controller/reconcile/core/annotations';
import type { EventText } from '../../controller/reconcile/core/observed';
import { ACCEPTS_CREDENTIALS_FROM, FED_BY_NAME, FEEDS } from '../../src/azure/credential-feeds';
import { FakeClock, settled } from '../reconcile/fake-clock';
import { FakeCluster } from '../reconcile/fake-cluster';
import { CONFIG_MAPS, GROUPS, IDENTITIES, NAMESPACES, SECRETS } from '../reconcile/harness';

const uuid = (digit: number) => `${`${digit}`.repeat(8)}-1111-4111-8111-111111111111`;
const statusOf = (digit: number) => ({
  clientId: uuid(digit), principalId: uuid(digit), tenantId: uuid(9), id: `/subscriptions/${uuid(8)}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x`,
});
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Options {
  readonly targetNamespaces?: readonly string[];
}

class World {
  public readonly cluster = new FakeCluster();
  public readonly clock = new FakeClock();
  public readonly events: (EventText & { readonly of: string })[] = [];
  public readonly reports: FeedReport[] = [];
  public readonly known = new Cluster();
  public readonly types: Record<string, Mutable<WatchedType>> = {};
  public forbidden = false;
  public feeder!: CredentialFeeder;
  private change?: () => void;

  public constructor(private readonly options: Options = {}) {
    for (const type of [GROUPS, IDENTITIES, SECRETS, CONFIG_MAPS, NAMESPACES]) {
      this.types[type.kind] = this.cluster.watch(type);
      this.known.add(this.types[type.kind]);
    }
    this.types.ServiceAccount = this.cluster.watch(SERVICE_ACCOUNTS);
  }

  /** A process begins: it is told of all that there is. */
  public async start(): Promise<void> {
    let listen: (event: ObjectEvent) => void = () => undefined;
    const feeder = new CredentialFeeder({
      cluster: this.known,
      client: this.cluster,
      clock: this.clock,
      operatorNamespace: 'aso',
      targetNamespaces: this.options.targetNamespaces ?? [],
      events: { record: (object, text) => this.events.push({ ...text, of: object.metadata.name }) },
      serviceAccounts: {
        watched: () => ({ ...this.types.ServiceAccount, isForbidden: this.forbidden }),
        listen: (onEvent, onChange) => {
          listen = onEvent;
          this.change = onChange;
        },
      },
      onReport: (report) => this.reports.push(report),
    });
    this.feeder = feeder;
    for (const object of this.cluster.objects.values()) feeder.handle({ type: 'ADDED', object });
    this.cluster.listeners = [(type, event) => (type.kind === 'ServiceAccount' ? listen(event) : feeder.handle(event))];
    feeder.start();
    await settled();
  }

  public accountsChanged(): Promise<void> {
    this.change?.();
    return settled();
  }

  public async namespace(name: string, accepts?: string): Promise<void> {
    const annotations = accepts === undefined ? {} : { annotations: { [ACCEPTS_CREDENTIALS_FROM]: accepts } };
    await this.cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...annotations } });
    await settled();
  }

  public async identity(name: string, feeds: string | undefined, digit?: number, more: Record<string, string> = {}): Promise<void> {
    const annotations = { [OPERATOR_NAMESPACE]: 'aso', ...(feeds === undefined ? {} : { [FEEDS]: feeds }), ...more };
    const metadata = { name, namespace: 'platform', annotations, finalizers: [FINALIZER] };
    await this.cluster.create(IDENTITIES, { apiVersion: `${IDENTITIES.group}/${IDENTITIES.version}`, kind: IDENTITIES.kind, metadata });
    if (digit !== undefined) await this.made(name, digit);
    await settled();
  }

  /** Azure has given the identity its ids. */
  public async made(name: string, digit: number): Promise<void> {
    const object = await this.cluster.get(IDENTITIES, name, 'platform');
    await this.cluster.replaceStatus(IDENTITIES, { ...object!, status: statusOf(digit) });
    await settled();
  }

  public async gone(name: string): Promise<void> {
    await this.cluster.delete(IDENTITIES, name, 'platform');
    await settled();
    await this.cluster.patch(IDENTITIES, name, 'platform', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }

  public async annotate(name: string, feeds: string | null): Promise<void> {
    await this.cluster.annotate(IDENTITIES, 'platform', name, { [FEEDS]: feeds });
    await settled();
  }

  public async accept(namespace: string, from: string | null): Promise<void> {
    await this.cluster.annotate(NAMESPACES, undefined, namespace, { [ACCEPTS_CREDENTIALS_FROM]: from });
    await settled();
  }

  /** An object in Azure that needs the namespace's credential. */
  public async user(name: string, namespace = 'team-a'): Promise<void> {
    await this.cluster.create(GROUPS, { apiVersion: `${GROUPS.group}/${GROUPS.version}`, kind: GROUPS.kind, metadata: { name, namespace, finalizers: [FINALIZER] } });
    await settled();
  }

  public async userGone(name: string, namespace = 'team-a'): Promise<void> {
    await this.cluster.delete(GROUPS, name, namespace);
    await this.cluster.patch(GROUPS, name, namespace, { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }

  public find(kind: string, name = 'aso-credential', namespace = 'team-a'): KubernetesObject | undefined {
    return this.cluster.objects.get(`/${kind}/${namespace}/${name}`);
  }

  public get clientId(): string | undefined {
    const encoded = this.find('Secret')?.data?.AZURE_CLIENT_ID;
    return encoded && Buffer.from(encoded, 'base64').toString();
  }

  public told(reason: string): string[] {
    return this.events.filter((event) => event.reason === reason).map(({ message }) => message);
  }

  public get writes(): string[] {
    return this.cluster.writes.filter((write) => /Secret|ConfigMap|ServiceAccount/.test(write));
  }
}

const FEED = 'Secret/team-a/aso-credential';

async function world(options?: Options): Promise<World> {
  const made = new World(options);
  await made.start();
  return made;
}

describe('when', () => {
  const steps = {
    namespace: (w: World) => w.namespace('team-a', 'platform/team-a'),
    identity: (w: World) => w.identity('team-a', FEED),
  };

  test.each([['namespace', 'identity'], ['identity', 'namespace']] as const)('%s first, %s then: written once Azure has given all the ids', async (first, second) => {
    const w = await world();
    await steps[first](w);
    await steps[second](w);
    expect(w.writes).toEqual([]);
    await w.made('team-a', 1);
    expect(w.clientId).toBe(uuid(1));
    expect(w.writes).toEqual(['create Secret/aso-credential']);
    expect(w.told('CredentialFed')).toEqual([expect.stringContaining(FEED)]);
    expect(w.feeder.states).toEqual([{ kind: 'Secret', state: 'fed' }]);
  });

  test('a namespace that comes after the identity is Ready is fed by its event', async () => {
    const w = await world();
    await w.identity('team-a', FEED, 1);
    expect(w.told('CredentialFeedWaiting')).toEqual([`${FEED} waits: namespace team-a does not exist yet`]);
    await w.namespace('team-a', 'platform');
    expect(w.clientId).toBe(uuid(1));
  });

  test('consent that comes later, on either side', async () => {
    const w = await world();
    await w.namespace('team-a');
    await w.identity('team-a', undefined, 1);
    await w.annotate('team-a', FEED);
    expect(w.find('Secret')).toBeUndefined();
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('annotates it with aso.cdk8s.io/accepts-credentials-from: "platform/team-a"')]);
    await w.accept('team-a', 'platform/team-a');
    expect(w.clientId).toBe(uuid(1));

    const other = await world();
    await other.namespace('team-a', 'platform');
    await other.identity('team-a', undefined, 1);
    expect(other.find('Secret')).toBeUndefined();
    expect(other.events).toEqual([]);
    await other.annotate('team-a', FEED);
    expect(other.clientId).toBe(uuid(1));
  });

  test('an identity that was replaced: its new client id, and nothing in between', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', FEED, 1);
    await w.user('app');
    await w.gone('team-a');
    await w.identity('team-a', FEED);
    expect(w.clientId).toBe(uuid(1));
    await w.made('team-a', 2);
    expect(w.clientId).toBe(uuid(2));
    expect(w.writes).toEqual(['create Secret/aso-credential', 'replace Secret/aso-credential']);
  });

  test('what somebody has changed or deleted is put right', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', FEED, 1);
    await w.cluster.replace(SECRETS, { ...w.find('Secret')!, data: { AZURE_CLIENT_ID: 'eA==' } });
    await settled();
    expect(w.clientId).toBe(uuid(1));
    await w.cluster.delete(SECRETS, 'aso-credential', 'team-a');
    await settled();
    expect(w.clientId).toBe(uuid(1));
  });

  test('a start finds nothing to do', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', FEED, 1);
    const before = [...w.writes];
    await w.start();
    expect(w.writes).toEqual(before);
    expect(w.feeder.states).toEqual([{ kind: 'Secret', state: 'fed' }]);
    expect(w.told('CredentialFed')).toHaveLength(1);
  });

  test('a process that is killed at any write leaves nothing that the next one does not bring to its end', async () => {
    for (let survived = 0; ; survived += 1) {
      const w = new World();
      let count = 0;
      w.cluster.after = (what) => {
        if (!/Secret|ConfigMap|ServiceAccount/.test(what)) return;
        count += 1;
        if (count === survived + 1) throw new KubernetesError(0, 'Dead', 'the process is gone');
      };
      await w.start();
      await w.namespace('team-a', 'platform');
      await w.cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-a' } }).catch(() => undefined);
      await w.identity('team-a', `${FEED},ConfigMap/team-a/ids,ServiceAccount/team-a/app`, 1);
      const crashed = count > survived;
      w.cluster.after = () => undefined;
      await w.feeder.drain();
      await w.start();
      expect(w.clientId).toBe(uuid(1));
      expect(w.find('ConfigMap', 'ids')?.data).toEqual({ clientId: uuid(1), principalId: uuid(1), tenantId: uuid(9) });
      expect(w.find('ServiceAccount', 'app')?.metadata.annotations?.[CLIENT_ID]).toBe(uuid(1));
      expect(w.writes.filter((write) => write.startsWith('create')).sort()).toEqual(['create ConfigMap/ids', 'create Secret/aso-credential', 'create ServiceAccount/app']);
      if (!crashed) break;
    }
  });
});

describe('whose', () => {
  test('identities that another controller has claimed, or none yet, are not fed', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.identity('theirs', FEED, 1, { [OPERATOR_NAMESPACE]: 'another' });
    expect(w.writes).toEqual([]);
    expect(w.events).toEqual([]);
  });

  test('a Secret of somebody else is not touched, and is fed when it was handed over', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    const foreign = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'team-a' }, type: 'Opaque', data: { AZURE_CLIENT_ID: 'eA==' } };
    await w.cluster.create(SECRETS, foreign);
    await w.identity('team-a', FEED, 1);
    expect(w.find('Secret')?.data).toEqual({ AZURE_CLIENT_ID: 'eA==' });
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('was not written by this controller')]);
    await w.annotate('team-a', null);
    expect(w.find('Secret')?.data).toEqual({ AZURE_CLIENT_ID: 'eA==' });
    await w.annotate('team-a', FEED);
    const labels = { 'aso.cdk8s.io/fed-by-namespace': 'platform', 'aso.cdk8s.io/fed-by-name': 'team-a' };
    await w.cluster.patch(SECRETS, 'aso-credential', 'team-a', { metadata: { labels } }, 'application/merge-patch+json');
    await settled();
    expect(w.clientId).toBe(uuid(1));
  });

  test('a Secret that only comes to light with the refusal of its creation is not touched either', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'team-a' }, type: 'helm.sh/release.v1', data: {} });
    w.types.Secret.store = { get: () => undefined, list: () => [] };
    await w.identity('team-a', FEED, 1);
    expect(w.find('Secret')?.data).toEqual({});
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('was not written by this controller')]);
  });

  test('of two identities that feed the same Secret, the first one does, and the second one when the first lets go', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.user('app');
    await w.identity('one', FEED, 1);
    await w.identity('two', FEED, 2);
    expect(w.clientId).toBe(uuid(1));
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('identity platform/one feeds it already')]);
    await w.annotate('one', null);
    expect(w.clientId).toBe(uuid(2));
    expect(w.find('Secret')?.metadata.labels?.[FED_BY_NAME]).toBe('two');
    // Never away in between.
    expect(w.writes).toEqual(['create Secret/aso-credential', 'replace Secret/aso-credential']);
  });

  test('namespaces that this controller does not watch are not fed', async () => {
    const w = await world({ targetNamespaces: ['platform'] });
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', FEED, 1);
    expect(w.writes).toEqual([]);
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('AZURE_TARGET_NAMESPACES')]);
  });

  test('a malformed annotation is told of once, feeds what can be read, and takes nothing back', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.identity('team-a', `${FEED},ConfigMap/team-a/ids`, 1);
    await w.annotate('team-a', `${FEED},configmap/team-a/ids`);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    expect(w.told('CredentialFeedRefused')).toEqual(['annotation aso.cdk8s.io/feeds: "configmap/team-a/ids" names the kind configmap: write ConfigMap']);
    w.feeder.check({ group: IDENTITIES.group, kind: IDENTITIES.kind, namespace: 'platform', name: 'team-a' });
    await settled();
    expect(w.told('CredentialFeedRefused')).toHaveLength(1);
    await w.annotate('team-a', FEED);
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
  });
});

describe('taking back', () => {
  async function fed(): Promise<World> {
    const w = await world();
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-a', annotations: { own: 'x' } } });
    await w.identity('team-a', `${FEED},ConfigMap/team-a/ids,ServiceAccount/team-a/app`, 1);
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations).toMatchObject({ own: 'x', [CLIENT_ID]: uuid(1) });
    return w;
  }
  const ways: [string, (w: World) => Promise<void>][] = [
    ['the giver takes its consent back', (w) => w.annotate('team-a', null)],
    ['the receiver takes its consent back', (w) => w.accept('team-a', null)],
    ['the identity is gone', (w) => w.gone('team-a')],
  ];

  test.each(ways)('%s: everything that nobody uses goes', async (_, end) => {
    const w = await fed();
    await end(w);
    expect(w.find('Secret')).toBeUndefined();
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
    expect(w.find('ServiceAccount', 'app')?.metadata).toMatchObject({ annotations: { own: 'x' }, labels: {} });
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations).toEqual({ own: 'x' });
  });

  test.each(ways)('%s: a credential stays, as it is, until the last object that uses it is gone', async (_, end) => {
    const w = await fed();
    await w.user('one');
    await w.user('two');
    await end(w);
    await w.userGone('one');
    expect(w.clientId).toBe(uuid(1));
    expect(w.find('Secret')?.metadata.deletionTimestamp).toBeUndefined();
    expect(w.told('CredentialKept')).toEqual([expect.stringContaining('stays until no object of its namespace uses it')]);
    await w.userGone('two');
    expect(w.find('Secret')).toBeUndefined();
  });

  test('an identity that is being deleted still feeds: its resource may be there for long', async () => {
    const w = await fed();
    await w.cluster.delete(IDENTITIES, 'team-a', 'platform');
    await settled();
    expect(w.find('Secret')).toBeDefined();
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
  });

  test.each(ways.slice(0, 1).concat([['the identity is gone', (w: World) => w.gone('team-a')]]))('%s while no controller runs', async (_, end) => {
    const w = await fed();
    await w.feeder.drain();
    w.cluster.listeners = [];
    await end(w);
    expect(w.find('Secret')).toBeDefined();
    await w.start();
    expect(w.find('Secret')).toBeUndefined();
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
  });

  test('nothing is taken back as long as identities, or what uses the credential, are not all listed', async () => {
    const w = await fed();
    await w.feeder.drain();
    w.cluster.listeners = [];
    await w.gone('team-a');
    w.types.UserAssignedIdentity.hasSynced = false;
    await w.start();
    await w.clock.advance(10_000);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    w.types.UserAssignedIdentity.hasSynced = true;
    w.types.ResourceGroup.hasSynced = false;
    await w.clock.advance(10_000);
    expect(w.find('ConfigMap', 'ids')).toBeUndefined();
    expect(w.find('Secret')).toBeDefined();
    w.types.ResourceGroup.hasSynced = true;
    await w.clock.advance(10_000);
    expect(w.find('Secret')).toBeUndefined();
  });

  test('a cluster that stops to serve the kind of identities takes nothing with it', async () => {
    const w = await fed();
    const identity = w.cluster.objects.get('managedidentity.azure.com/UserAssignedIdentity/platform/team-a')!;
    w.feeder.handle({ type: 'DELETED', object: identity, previous: identity });
    w.known.remove(IDENTITIES);
    await settled();
    expect(w.find('Secret')).toBeDefined();
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
  });

  test('identities of namespaces that are not watched are not taken for gone', async () => {
    const first = await fed();
    const w = new World({ targetNamespaces: ['team-a'] });
    for (const name of ['aso-credential']) w.cluster.objects.set(`/Secret/team-a/${name}`, first.find('Secret', name)!);
    await w.start();
    expect(w.find('Secret')).toBeDefined();
  });
});

describe('without rights', () => {
  test.each(['create Secret', 'delete Secret'])('%s is refused: told once, tried again, nobody is in the way of others', async (verb) => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    let denied = true;
    w.cluster.before = (what) => {
      if (denied && what === verb) throw new KubernetesError(403, 'Forbidden', 'secrets is forbidden: User "aso" cannot do that');
    };
    await w.identity('team-a', `${FEED},ConfigMap/team-a/ids`, 1);
    if (verb === 'delete Secret') await w.annotate('team-a', 'ConfigMap/team-a/ids');
    await w.clock.advance(300_000);
    expect(w.find('ConfigMap', 'ids')).toBeDefined();
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('cannot do that; give it the rights for feeds')]);
    denied = false;
    await w.clock.advance(120_000);
    expect(w.find('Secret') !== undefined).toBe(verb === 'create Secret');
  });

  test('service accounts that may not be read: told, and fed when they may', async () => {
    const w = await world();
    w.forbidden = true;
    await w.namespace('team-a', 'platform');
    await w.cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'app', namespace: 'team-a' } });
    await w.identity('team-a', `${FEED},ServiceAccount/team-a/app`, 1);
    expect(w.clientId).toBe(uuid(1));
    expect(w.told('CredentialFeedRefused')).toEqual([expect.stringContaining('may not list service accounts; give it the rights')]);
    w.forbidden = false;
    await w.accountsChanged();
    expect(w.find('ServiceAccount', 'app')?.metadata.annotations?.[CLIENT_ID]).toBe(uuid(1));
  });

  test('a namespace that ends in the middle is waited for', async () => {
    const w = await world();
    await w.namespace('team-a', 'platform');
    w.cluster.before = (what) => {
      if (what === 'create Secret') throw new KubernetesError(403, 'Forbidden', 'unable to create new content in namespace team-a because it is being terminated');
    };
    await w.identity('team-a', FEED, 1);
    expect(w.told('CredentialFeedRefused')).toEqual([]);
    expect(w.told('CredentialFeedWaiting')).toEqual([`${FEED} waits: namespace team-a is not there, or is being deleted`]);
  });

  test('what stands in the way is told again after half an hour, when a pass of the identity ends', async () => {
    const w = await world();
    await w.namespace('team-a');
    await w.identity('team-a', FEED, 1);
    const key = { group: IDENTITIES.group, kind: IDENTITIES.kind, namespace: 'platform', name: 'team-a' };
    for (const expected of [1, 1, 2]) {
      w.feeder.check(key);
      await settled();
      expect(w.told('CredentialFeedRefused')).toHaveLength(expected);
      await w.clock.advance(20 * 60_000);
    }
  });
});
