import { ID, RECORD } from './facts';
import type { Write } from './kube-model';
import type { Stored } from './truth/policy';
import { gives, GROUP_MEMBERS, MEMBER_LEASE, RULES, VIEW, viewOf, type PublishedView } from './truth/shares';

export interface ShareWatchOptions {
  /** True time, in milliseconds. */
  readonly now: () => number;
  /** The time in which the protocol's terms count, in milliseconds. */
  readonly protocolNow: () => number;
  readonly namespaces: readonly string[];
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
  /** Namespaces for which it has read a list without rivals since it claims them. */
  readonly proven: Set<string>;
}

interface Flight {
  readonly by: string;
  readonly what: string;
  readonly sentAt: number;
}

/** A reconcile that runs. */
interface Running {
  readonly by: string;
  readonly namespace: string;
  readonly since: number;
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
  private readonly namespaceOf = new Map<string, string>();
  private readonly flights = new Map<string, Set<Flight>>();
  private readonly running = new Set<Running>();
  /** How often a replica has given a namespace away. */
  private readonly givenAway = new Map<string, number>();
  private readonly lastWriter = new Map<string, string>();
  private readonly creations = new Map<string, Creation>();
  /** The record of each object's PUTs, as stored; by id. */
  private readonly records = new Map<string, string>();
  private readonly reads = new Map<string, number>();

  public constructor(private readonly options: ShareWatchOptions) {}

  /** A replica sends an object, or a patch. The answer is to be called when the API server gets it. */
  public sent(replica: string, object: Stored): void {
    if (object.kind === 'Lease') return this.leaseSent(replica, object);
    const { namespace } = object.metadata;
    if (namespace !== undefined && object.kind !== 'Event') this.judge(replica, namespace, `${object.kind} ${namespace}/${object.metadata.name}`);
  }

  /** The API server gets what was sent. */
  public arrived(replica: string, object: Stored): void {
    const { namespace = '', name } = object.metadata;
    if (object.kind !== 'Lease') this.lands(replica, namespace, `${object.kind} ${namespace}/${name}`);
  }

  /** A request to Azure is sent. */
  public sends(replica: string, method: string, path: string): void {
    if (method !== 'PUT' && method !== 'DELETE') return;
    const namespace = this.namespaceOf.get(path.toLowerCase());
    if (namespace === undefined) return this.options.violated(`${replica}: ${method} ${path}, which is nobody's`);
    this.judge(replica, namespace, `${method} ${path}`);
  }

  /** Azure gets a request. `exists`: whether it has the resource. */
  public reaches(replica: string, method: string, path: string, exists: boolean): void {
    const id = path.toLowerCase();
    const { now } = this.options;
    if (method === 'GET') this.reads.set(`${replica} ${id}`, now());
    if (method !== 'PUT' && method !== 'DELETE') return;
    this.lands(replica, this.namespaceOf.get(id) ?? '', `${method} ${path}`);
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
  public reconcileBegins(replica: string, namespace: string, object: Stored | undefined): () => void {
    const { [ID]: id = '', [RECORD]: record } = object?.metadata.annotations ?? {};
    const created = this.creations.get(id.toLowerCase());
    if (created && record !== created.recordBefore && isAnswered(record)) created.knownTo.add(replica);
    const running = { by: replica, namespace, since: this.options.now() };
    this.running.add(running);
    return () => this.running.delete(running);
  }

  /** The API server answers a list of the replicas' Leases. */
  public listed(replica: string): void {
    const member = this.members.get(replica);
    if (!member?.view || member.deletedAt !== undefined) return;
    for (const namespace of this.options.namespaces) {
      if (gives(member.view, replica, namespace) && this.rivals(replica, namespace).length === 0) member.proven.add(namespace);
    }
  }

  /** Anybody's write, after it. */
  public written({ object, removed, what }: Write): void {
    const { namespace, annotations, name } = object.metadata;
    const id = annotations?.[ID];
    if (id && namespace) this.namespaceOf.set(id.toLowerCase(), namespace);
    const record = annotations?.[RECORD];
    if (id && record !== undefined) this.records.set(id.toLowerCase(), record);
    if (object.kind !== 'Lease') return;
    if (object.spec?.holderIdentity === GROUP_MEMBERS) this.groupChangedAt = this.options.protocolNow();
    if (name.startsWith(MEMBER_LEASE)) this.leaseWritten(name.slice(MEMBER_LEASE.length), object, removed || what === 'delete');
  }

  /** How often a replica has given away the namespace of a path in Azure. */
  public tenure(replica: string, path: string): number {
    return this.givenAway.get(`${replica} ${this.namespaceOf.get(path.toLowerCase()) ?? ''}`) ?? 0;
  }

  /** Replicas that are active, and have known each other for a while. */
  public settledMembers(): readonly string[] {
    const active = [...this.members].filter(([, member]) => this.mayBeAlive(member) && member.deletedAt === undefined && member.view?.phase === 'active');
    const names = active.map(([name]) => name).sort();
    return active.every(([, { view }]) => view!.members.join() === names.join()) ? names : [];
  }

  /** Namespaces that not exactly one replica may write for. */
  public unowned(): string[] {
    return this.options.namespaces.flatMap((namespace) => {
      const owners = [...this.members.keys()].filter((replica) => this.refusal(replica, namespace) === undefined);
      return owners.length === 1 ? [] : [`${namespace} is looked after by ${owners.join(' and ') || 'nobody'}`];
    });
  }

  private judge(replica: string, namespace: string, what: string): void {
    const { now, violated } = this.options;
    this.writes += 1;
    const why = this.refusal(replica, namespace);
    if (why !== undefined) violated(`${replica}: ${what}, although ${why}`);
    const flights = this.flights.get(namespace) ?? new Set();
    this.flights.set(namespace, flights);
    for (const flight of flights) {
      if (now() - flight.sentAt > LONGEST_WAY_MS) flights.delete(flight);
      else if (flight.by !== replica) violated(`${replica}: ${what}, while ${flight.by}'s ${flight.what} is under way`);
    }
    flights.add({ by: replica, what, sentAt: now() });
    if ((this.lastWriter.get(namespace) ?? replica) !== replica) this.moves += 1;
    this.lastWriter.set(namespace, replica);
  }

  private lands(replica: string, namespace: string, what: string): void {
    const flights = this.flights.get(namespace);
    const flight = [...flights ?? []].find((one) => one.by === replica && one.what === what);
    if (flight) flights!.delete(flight);
  }

  /** Why a replica must not write for a namespace now. */
  private refusal(replica: string, namespace: string): string | undefined {
    const { protocolNow } = this.options;
    const member = this.members.get(replica);
    if (!member?.view) return 'it has no Lease';
    if (member.isReleased) return 'it has released its Lease';
    if (protocolNow() > member.termEnds) return 'its term is over';
    if (protocolNow() > this.groupChangedAt + (RULES.term + RULES.drift)) return 'nobody has renewed the Lease of the group';
    if (!gives(member.view, replica, namespace)) return 'its published view does not give it the namespace';
    if (member.sentView && !gives(member.sentView, replica, namespace)) return 'it gives the namespace away';
    if (!member.proven.has(namespace)) return 'it has not seen, since it claims the namespace, that nobody else does';
    return undefined;
  }

  private rivals(replica: string, namespace: string): string[] {
    return [...this.members].flatMap(([name, member]) => {
      if (name === replica || !this.mayBeAlive(member)) return [];
      const claims = member.deletedAt !== undefined || !member.view || gives(member.view, name, namespace);
      return claims ? [name] : [];
    });
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

  /** No reconcile runs in a namespace that is given away, unless it has had its time. */
  private drains(replica: string, before: PublishedView | undefined, view: PublishedView): void {
    const { namespaces, now, violated } = this.options;
    for (const namespace of namespaces.filter((one) => before && gives(before, replica, one) && !gives(view, replica, one))) {
      this.givenAway.set(`${replica} ${namespace}`, (this.givenAway.get(`${replica} ${namespace}`) ?? 0) + 1);
      // One that ends has told its reconciles to end already.
      if (view.members.length === 0) continue;
      const own = [...this.running].filter((one) => one.by === replica && one.namespace === namespace);
      const young = own.filter(({ since }) => now() - since < DRAIN_MS - 1);
      if (young.length > 0) violated(`${replica} gives ${namespace} away, and ${young.length} of its reconciles run`);
    }
  }

  private leaseWritten(replica: string, { metadata, spec }: Stored, isDeleted: boolean): void {
    const { protocolNow } = this.options;
    const member = this.memberOf(replica);
    if (isDeleted) {
      if (!member.isReleased) member.deletedAt = protocolNow();
      return;
    }
    const view = viewOf(metadata.annotations?.[VIEW]);
    if (view && view.split.length > 0) this.options.violated('not played: namespaces that are split');
    const sentAt = member.sentAt.get(String(spec?.renewTime)) ?? protocolNow();
    // Others may have taken it for dead: it has to read their claims anew.
    if (sentAt > member.termEnds) member.proven.clear();
    for (const namespace of [...member.proven]) if (!view || !gives(view, replica, namespace)) member.proven.delete(namespace);
    member.view = view;
    member.changedAt = protocolNow();
    member.isReleased = spec?.holderIdentity === '';
    member.termEnds = Math.max(member.termEnds, sentAt + (RULES.term + RULES.drift));
  }

  private memberOf(replica: string): Member {
    const known = this.members.get(replica)
      ?? { sentAt: new Map<string, number>(), termEnds: -Infinity, changedAt: -Infinity, isReleased: false, proven: new Set<string>() };
    this.members.set(replica, known);
    return known;
  }
}

/** Whether the record says that Azure has accepted a PUT. */
function isAnswered(record = '{}'): boolean {
  return (JSON.parse(record) as { readonly answered?: boolean }).answered === true;
}
