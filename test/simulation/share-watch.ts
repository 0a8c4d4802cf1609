import { ID, RECORD } from './facts';
import type { KubeModel, Write } from './kube-model';
import { ShareProofs } from './share-proofs';
import { isOfAzure, placeOf, TreeHistory, type Place } from './tree-history';
import type { Stored } from './truth/policy';
import { gives, GROUP_MEMBERS, isSplitIn, MEMBER_LEASE, RULES, VIEW, viewOf, type PublishedView, type Share } from './truth/shares';

export interface ShareWatchOptions {
  /** True time, in milliseconds. */
  readonly now: () => number;
  /** The time in which the protocol's terms count, in milliseconds. */
  readonly protocolNow: () => number;
  readonly namespaces: readonly string[];
  readonly kube: Pick<KubeModel, 'all'>;
  readonly violated: (text: string) => void;
}

/** A replica, as the API server knows it. */
interface Member {
  /** Of its Lease; undefined: it has none. */
  view?: PublishedView | undefined;
  /** The last that it has sent, whether it has arrived or not. */
  sentView?: PublishedView | undefined;
  /** When its renewals were sent, by their time in the Lease. */
  readonly sentAt: Map<string, number>;
  termEnds: number;
  changedAt: number;
  isReleased: boolean;
  deletedAt?: number | undefined;
  readonly proofs: ShareProofs;
}

/** A write that is to be judged. */
interface Deed {
  readonly namespace: string;
  readonly what: string;
  /** The roots of its object, in a namespace that is split; one of them has to be the replica's. */
  readonly roots: readonly string[];
  readonly isToAzure: boolean;
}

interface Flight extends Deed {
  readonly by: string;
  readonly isSplit: boolean;
  readonly sentAt: number;
}

/** A reconcile that runs. */
interface Running {
  readonly by: string;
  readonly place: Place;
  readonly since: number;
}

interface ObjectName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Creation {
  readonly by: string;
  readonly at: number;
  /** The record of the object's PUTs before. */
  readonly recordBefore: string | undefined;
  /** Replicas that have begun a reconcile of the object whose record has this PUT. */
  readonly knownTo: Set<string>;
}

/** No request is longer under way than this; what has not arrived by then never does. */
const LONGEST_WAY_MS = 3_100;
/** Renewals that may be under way at once. */
const MOST_SENT = 100;
/** A replica lets running work end for so long before it gives a namespace away; no new work begins meanwhile. */
const DRAIN_MS = 20_000;

/**
 * Judges writes of replicas that share the namespaces, by what the API server has stored and when, with the rules of docs/sharding.md
 * written a second time. It knows nothing of what a replica thinks.
 */
export class ShareWatch {
  /** Writes that were judged. */
  public writes = 0;
  /** How often a namespace was written for by another replica than before. */
  public moves = 0;
  private readonly members = new Map<string, Member>();
  private groupChangedAt = -Infinity;
  /** By id. */
  private readonly objects = new Map<string, { readonly namespace: string; readonly place: Place }>();
  private readonly trees: TreeHistory;
  private readonly flights = new Map<string, Set<Flight>>();
  private readonly running = new Set<Running>();
  /** How often a replica has given an object away. */
  private readonly givenAway = new Map<string, number>();
  private readonly lastWriter = new Map<string, string>();
  private readonly creations = new Map<string, Creation>();
  /** The record of each object's PUTs, as stored; by id. */
  private readonly records = new Map<string, string>();
  private readonly reads = new Map<string, number>();

  public constructor(private readonly options: ShareWatchOptions) {
    this.trees = new TreeHistory(options.kube, options.protocolNow);
  }

  /** A replica sends an object, or a patch. The answer is to be called when the API server gets it. */
  public sent(replica: string, object: Stored): void {
    if (object.kind === 'Lease') return this.leaseSent(replica, object);
    const { namespace } = object.metadata;
    if (namespace === undefined || object.kind === 'Event') return;
    // Writes to the cluster are not preceded by reads, so the cache that decides may be old. Exports and finalizers of credentials are
    // written by the replicas of all trees.
    const place = placeOf(object);
    const roots = isOfAzure(object) ? this.trees.rootsOf(namespace, place) : this.trees.allRoots(namespace);
    this.judge(replica, { namespace, what: place, roots, isToAzure: false });
  }

  /** The API server gets what was sent. */
  public arrived(replica: string, object: Stored): void {
    const { namespace = '', name } = object.metadata;
    if (object.kind !== 'Lease') this.lands(replica, namespace, `${object.kind} ${namespace}/${name}`);
  }

  /** A request to Azure is sent. */
  public sends(replica: string, method: string, path: string): void {
    if (method !== 'PUT' && method !== 'DELETE') return;
    const object = this.objects.get(path.toLowerCase());
    if (!object) return this.options.violated(`${replica}: ${method} ${path}, which is nobody's`);
    const { namespace, place } = object;
    const roots = this.trees.rootsOf(namespace, place, this.options.protocolNow() - (RULES.confirmed + RULES.drift));
    this.judge(replica, { namespace, what: `${method} ${path}`, roots, isToAzure: true });
  }

  /** Azure gets a request. `exists`: whether it has the resource. */
  public reaches(replica: string, method: string, path: string, exists: boolean): void {
    const id = path.toLowerCase();
    const { now } = this.options;
    if (method === 'GET') this.reads.set(`${replica} ${id}`, now());
    if (method !== 'PUT' && method !== 'DELETE') return;
    this.lands(replica, this.objects.get(id)?.namespace ?? '', `${method} ${path}`);
    if (method === 'DELETE') return;
    const created = this.creations.get(id);
    const isBlind = created && !created.knownTo.has(replica) && (this.reads.get(`${replica} ${id}`) ?? -Infinity) < created.at;
    if (exists && isBlind) {
      this.options.violated(`${path} is made twice: ${created.by} has made it, and ${replica}, which has not looked since, makes it again`);
    }
    // A replica that reads the resource from now on knows of it.
    if (!exists) this.creations.set(id, { by: replica, at: now(), recordBefore: this.records.get(id), knownTo: new Set([replica]) });
  }

  /**
   * The answer is to be called when it has ended.
   * @param object as it has reached the replica
   */
  public reconcileBegins(replica: string, key: ObjectName, object: Stored | undefined): () => void {
    const { [ID]: id = '', [RECORD]: record } = object?.metadata.annotations ?? {};
    const created = this.creations.get(id.toLowerCase());
    if (created && record !== created.recordBefore && isAnswered(record)) created.knownTo.add(replica);
    const running = { by: replica, place: placeOf({ kind: key.kind, metadata: key }), since: this.options.now() };
    this.running.add(running);
    return () => this.running.delete(running);
  }

  /** The API server answers a list of the replicas' Leases. */
  public listed(replica: string): void {
    const member = this.members.get(replica);
    if (!member?.view || member.deletedAt !== undefined) return;
    const others = [...this.members].filter(([name, other]) => name !== replica && this.mayBeAlive(other));
    const rivals = others.map(([name, { view, deletedAt }]) => ({ name, view: deletedAt === undefined ? view : undefined }));
    member.proofs.listed(member.view, rivals);
  }

  /** Anybody's write, after it. */
  public written(write: Write): void {
    const { object, removed, what } = write;
    const { namespace, annotations, name } = object.metadata;
    for (const { place, before, root } of this.trees.written(write)) this.moved(namespace!, place, before, root);
    const id = annotations?.[ID];
    if (id && namespace && isOfAzure(object)) this.objects.set(id.toLowerCase(), { namespace, place: placeOf(object) });
    const record = annotations?.[RECORD];
    if (id && record !== undefined) this.records.set(id.toLowerCase(), record);
    // A resource that a policy has left in Azure is taken over by an object that is created later, whatever replica looks after it.
    if (id && removed && isOfAzure(object)) this.creations.delete(id.toLowerCase());
    if (object.kind !== 'Lease') return;
    if (object.spec?.holderIdentity === GROUP_MEMBERS) this.groupChangedAt = this.options.protocolNow();
    if (name.startsWith(MEMBER_LEASE)) this.leaseWritten(name.slice(MEMBER_LEASE.length), object, removed || what === 'delete');
  }

  /** How often a replica has given away the object of a path in Azure. */
  public tenure(replica: string, path: string): number {
    return this.givenAway.get(`${replica} ${this.objects.get(path.toLowerCase())?.place ?? ''}`) ?? 0;
  }

  /** Replicas that are active, and have known each other for a while. */
  public settledMembers(): readonly string[] {
    const active = [...this.members].filter(([, member]) => this.mayBeAlive(member) && member.deletedAt === undefined && member.view?.phase === 'active');
    const names = active.map(([name]) => name).sort();
    return active.every(([, { view }]) => view!.members.join() === names.join()) ? names : [];
  }

  /** Namespaces, and trees of those that are split, that not exactly one replica may write for. */
  public unowned(): string[] {
    return this.options.namespaces.flatMap((namespace) => {
      const isSplit = [...this.members.keys()].some((replica) => this.splits(replica, namespace));
      const roots = isSplit ? this.trees.allRoots(namespace) : [];
      return [{ namespace }, ...roots.map((root) => ({ namespace, root }))].flatMap((share: Share) => {
        const owners = [...this.members.keys()].filter((replica) => this.refusal(replica, share) === undefined);
        const name = share.root === undefined ? namespace : `${namespace}/${share.root}`;
        return owners.length === 1 ? [] : [`${name} is looked after by ${owners.join(' and ') || 'nobody'}`];
      });
    });
  }

  private judge(replica: string, deed: Deed): void {
    const { now, violated } = this.options;
    const { namespace, what, roots } = deed;
    this.writes += 1;
    const isSplit = this.splits(replica, namespace);
    // Of a tree a replica may be sure while it is not of the namespace, because others split that already.
    const whole = isSplit && deed.isToAzure ? [] : [{ namespace }];
    const shares: Share[] = [...whole, ...roots.map((root) => ({ namespace, root }))];
    const reasons = shares.map((share) => this.refusal(replica, share));
    if (!reasons.includes(undefined)) violated(`${replica}: ${what}, although ${reasons[0] ?? 'its object has no tree'}`);
    const flight: Flight = { ...deed, by: replica, isSplit, sentAt: now() };
    const flights = this.flights.get(namespace) ?? new Set();
    this.flights.set(namespace, flights);
    for (const other of flights) {
      if (now() - other.sentAt > LONGEST_WAY_MS) flights.delete(other);
      else if (meet(flight, other)) violated(`${replica}: ${what}, while ${other.by}'s ${other.what} is under way`);
    }
    flights.add(flight);
    const share = isSplit && deed.isToAzure ? `${namespace}/${roots.at(-1)}` : namespace;
    if (isSplit && !deed.isToAzure) return;
    if ((this.lastWriter.get(share) ?? replica) !== replica) this.moves += 1;
    this.lastWriter.set(share, replica);
  }

  /** Whether a replica's own views split a namespace. */
  private splits(replica: string, namespace: string): boolean {
    const { view, sentView } = this.members.get(replica) ?? {};
    return [view, sentView].some((one) => one !== undefined && isSplitIn(one, namespace));
  }

  private lands(replica: string, namespace: string, what: string): void {
    const flights = this.flights.get(namespace);
    const flight = [...flights ?? []].find((one) => one.by === replica && one.what === what);
    if (flight) flights!.delete(flight);
  }

  /** Why a replica must not write for a share now. */
  private refusal(replica: string, share: Share): string | undefined {
    const { protocolNow } = this.options;
    const member = this.members.get(replica);
    const what = share.root === undefined ? 'namespace' : 'tree';
    if (!member?.view) return 'it has no Lease';
    if (member.isReleased) return 'it has released its Lease';
    if (protocolNow() > member.termEnds) return 'its term is over';
    if (protocolNow() > this.groupChangedAt + (RULES.term + RULES.drift)) return 'nobody has renewed the Lease of the group';
    if (!gives(member.view, replica, share)) return `its published view does not give it the ${what}`;
    if (member.sentView && !gives(member.sentView, replica, share)) return `it gives the ${what} away`;
    if (!member.proofs.has(replica, share)) return `it has not seen, since it claims the ${what}, that nobody else does`;
    return undefined;
  }

  private mayBeAlive({ isReleased, deletedAt, changedAt }: Member): boolean {
    return !isReleased && this.options.protocolNow() - (deletedAt ?? changedAt) < RULES.lease;
  }

  private leaseSent(replica: string, { metadata, spec }: Stored): void {
    if (metadata.name !== `${MEMBER_LEASE}${replica}`) return;
    const member = this.memberOf(replica);
    if (member.sentAt.size > MOST_SENT) member.sentAt.clear();
    member.sentAt.set(String(spec?.renewTime), this.options.protocolNow());
    const view = viewOf(metadata.annotations?.[VIEW]);
    if (view) this.drains(replica, member.sentView, view);
    member.sentView = view;
  }

  /** No reconcile runs of what is given away, unless it has had its time. */
  private drains(replica: string, before: PublishedView | undefined, view: PublishedView): void {
    const { namespaces, now, violated } = this.options;
    if (!before) return;
    for (const namespace of namespaces) {
      const isGiven = (place: Place) => this.trees.rootsOf(namespace, place)
        .map((root) => ({ namespace, root }))
        .every((share) => gives(before, replica, share) && !gives(view, replica, share));
      const given = new Set(this.trees.places(namespace).filter(isGiven));
      for (const place of this.trees.places(namespace)) {
        const share = { namespace, root: this.trees.rootsOf(namespace, place).at(-1) };
        if (gives(before, replica, share) && !gives(view, replica, share)) this.countGivenAway(replica, place);
      }
      // One that ends has told its reconciles to end already.
      if (view.members.length === 0) continue;
      const own = [...this.running].filter(({ by, place }) => by === replica && given.has(place));
      const young = own.filter(({ since }) => now() - since < DRAIN_MS - 1);
      if (young.length > 0) violated(`${replica} gives ${namespace} away, and ${young.length} of its reconciles run`);
    }
  }

  /** An object has come into another tree. */
  private moved(namespace: string, place: Place, before: string, root: string): void {
    for (const [replica, { view }] of this.members) {
      if (!view || !gives(view, replica, { namespace, root: before }) || gives(view, replica, { namespace, root })) continue;
      this.countGivenAway(replica, place);
    }
  }

  private countGivenAway(replica: string, place: Place): void {
    const name = `${replica} ${place}`;
    this.givenAway.set(name, (this.givenAway.get(name) ?? 0) + 1);
  }

  private leaseWritten(replica: string, { metadata, spec }: Stored, isDeleted: boolean): void {
    const { protocolNow } = this.options;
    const member = this.memberOf(replica);
    if (isDeleted) {
      if (!member.isReleased) member.deletedAt = protocolNow();
      return;
    }
    const view = viewOf(metadata.annotations?.[VIEW]);
    const sentAt = member.sentAt.get(String(spec?.renewTime)) ?? protocolNow();
    // Others may have taken it for dead: it has to read their claims anew.
    if (sentAt > member.termEnds || !view) member.proofs.forget();
    else member.proofs.published(view);
    member.view = view;
    member.changedAt = protocolNow();
    member.isReleased = spec?.holderIdentity === '';
    member.termEnds = Math.max(member.termEnds, sentAt + (RULES.term + RULES.drift));
  }

  private memberOf(replica: string): Member {
    const known = this.members.get(replica)
      ?? { sentAt: new Map<string, number>(), termEnds: -Infinity, changedAt: -Infinity, isReleased: false, proofs: new ShareProofs() };
    this.members.set(replica, known);
    return known;
  }
}

/** Whether two writes that are under way at once may meet. In namespaces that are split, writes to the cluster carry a version. */
function meet(one: Flight, other: Flight): boolean {
  if (one.by === other.by) return false;
  if (!one.isSplit || !other.isSplit) return true;
  return one.isToAzure && other.isToAzure && one.roots.some((root) => other.roots.includes(root));
}

/** Whether the record says that Azure has accepted a PUT. */
function isAnswered(record = '{}'): boolean {
  return (JSON.parse(record) as { readonly answered?: boolean }).answered === true;
}
