import { lineOf, sameBody, WAITS_WITHOUT_A_SIGN, type Answer, type AzureModel, type AzureRequest, type Resource } from './azure-model';
import type { Delivered } from './delivered';
import type { Principal } from './entra';
import { FINALIZER, ID, isReady, objectName, RECORD, TOKEN } from './facts';
import { AZURE_TYPES, NAMESPACES, SECRETS, typeOf } from './kinds';
import type { KubeModel, Write } from './kube-model';
import { pictureOf, type Picture } from './picture';
import { hasSecretOf } from './secret-text';
import { expectedArmId } from './truth/arm-id';
import { isKeptFor, secretNameOf } from './truth/credential';
import { POLICY, policyOf, type Stored } from './truth/policy';

/** Policies that changed so recently may not have reached the controller, or not the one that decided. */
const POLICY_REACHES_IN = 300_000;
/** However late its watches are, and however long a reconcile waits for its turn: what was decided on must not be older than this. */
const OLDEST_POLICY = 1_800_000;
/** Between the read of a parent and its PUT another client may create a child of which the PUT cannot know. */
const PARENT_IS_READ_BEFORE = 120_000;
/**
 * An operation that lasts longer than any is asked for once more, by the clock of the process, which somebody may have set
 * (docs/controller.md).
 */
const OVERDUE = 3_600_000;
const OF_NAMESPACE = 'aso-credential';

interface Time {
  readonly number: number;
  now(): number;
}

interface Key {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Result of a reconcile. */
export interface Reconciled {
  readonly key: Key;
  readonly object: Stored;
  readonly actions: readonly string[];
  readonly result: { readonly kind: string };
}

export interface InvariantsOptions {
  readonly kube: KubeModel;
  readonly azure: AzureModel;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly subscription: string;
  readonly globalClient: string;
  /** Whether an object of a namespace may reach a resource. Default: that is not judged. */
  readonly mayReach?: ((namespace: string, path: string) => boolean) | undefined;
  /** The current leader; undefined if there is only one process. */
  readonly leader: () => string | undefined;
  /**
   * How often a process has given away the namespace of a path: what it knew of operations there, it has forgotten. Default: never.
   */
  readonly tenure?: ((process: number, path: string) => number) | undefined;
}

/**
 * Watches all that the controller does to Kubernetes and to Azure, and says what it must never do. Judges by what the two models hold and
 * by what has reached a process over its connection, with rules written for this: nothing of the controller is asked.
 */
export class Invariants {
  public readonly violations: string[] = [];
  /** The state that a process could know when it began with an object, by both. */
  private readonly pictures = new Map<string, Picture>();
  /** Objects for which the last process that could read every Secret used the controller's own credential. */
  private readonly globalUsers = new Set<string>();
  private readonly sent = new Set<string>();
  /** When the last PUT was sent, by the clock of its process, by uid. */
  private readonly wishedAt = new Map<string, number>();
  private readonly everReady = new Set<string>();
  private readonly idOf = new Map<string, string>();
  private readonly policyChanged = new Map<string, number>();
  /** Writes that are under way, by line. */
  private readonly flights = new Map<string, string>();
  /** Which process has begun the last write, and how wrong its clock was, by path. */
  private readonly writers = new Map<string, string>();
  /** When Azure told a process that the operation of a resource runs, by process and path. `since`: without a long silence. */
  private readonly followers = new Map<string, { readonly since: number; readonly at: number }>();
  /** Processes that were told so in a reconcile that has not ended. */
  private readonly told = new Map<string, string>();

  public constructor(private readonly options: InvariantsOptions) {
    options.azure.onChildLost = (child, parent, by) => this.childLost(child, parent, by);
  }

  /** Answers what the process could know of the object. */
  public reconcileBegins(process: number, delivered: Delivered, { group, kind, namespace, name }: Key): Stored | undefined {
    const stub = { apiVersion: `${group}/v1`, kind, metadata: { namespace, name } };
    const isKnown = AZURE_TYPES.some((type) => type.group === group && type.kind === kind);
    const picture = isKnown ? pictureOf(this.options.kube, delivered, stub, this.options.now()) : undefined;
    if (picture) this.pictures.set(`${process} ${objectName(stub)}`, picture);
    if (picture?.unknown.length === 0) {
      this.globalUsers.delete(objectName(stub));
      if (picture.credential.is === 'global') this.globalUsers.add(objectName(stub));
    }
    return picture?.object;
  }

  /** A write that Azure has accepted is on record when the reconcile ends. */
  public reconcileEnds(process: number, { key, object, actions, result }: Reconciled): void {
    const { azure, kube, now } = this.options;
    const resource = azure.find(object.metadata.annotations?.[ID] ?? '');
    // A reconcile that releases its resource, or only watches it, no longer follows its operation: the lock is given up, and the next
    // reconcile need not wait (Azure refuses its write while the operation runs, and the controller retries).
    const isGivenUp = result.kind === 'done' || this.pictures.get(`${process} ${objectName(object)}`)?.policy === 'skip';
    if (resource && isGivenUp) resource.heardAt = -Infinity;
    this.follows(process, resource);
    // An answer counts for other reconciles when the reconcile that received it is over.
    if (resource?.heardSince === Infinity) resource.heardSince = now();
    if (!actions.includes('put') || result.kind === 'failure' || result.kind === 'done') return;
    const type = AZURE_TYPES.find(({ group, kind }) => group === key.group && kind === key.kind)!;
    const stored = kube.get(type, key.namespace, key.name);
    if (!stored?.metadata.finalizers?.includes(FINALIZER)) return;
    const record = JSON.parse(stored.metadata.annotations?.[RECORD] ?? '{}') as { answered?: boolean };
    if (!record.answered) this.violated(`${objectName(stored)}: Azure has accepted a PUT, and the record does not say so`);
    // A process that stood still may learn of its PUT's answer when its successor has followed the operation to its end.
    const runs = azure.isChanging(stored.metadata.annotations?.[ID] ?? '') !== undefined;
    if (actions.at(-1) === 'put' && runs && !stored.metadata.annotations?.[TOKEN]) {
      this.violated(`${objectName(stored)}: an operation runs, and its token is not stored`);
    }
  }

  /** A request leaves a process; the answer is to be called when the process knows what became of it, or knows that it never will. */
  public sending(process: number, identity: string, method: string, path: string): () => void {
    const isWrite = method === 'PUT' || method === 'DELETE';
    const leader = this.options.leader();
    if (isWrite && leader !== undefined && leader !== identity) {
      this.violated(`${method} ${path} of ${identity}, and ${leader || 'nobody'} leads`);
    }
    const line = isWrite ? lineOf(path) : undefined;
    if (line === undefined) return () => undefined;
    const name = `${process} ${line}`;
    const other = this.flights.get(name);
    if (other) this.violated(`${method} ${path} while a write of ${other} beside it is under way`);
    this.flights.set(name, path);
    return () => this.flights.delete(name);
  }

  /** A process gets the answer of an operation. */
  public polled(process: Time, path: string, { status, body }: Answer): void {
    const runs = status === 202 || (body as { readonly status?: string } | undefined)?.status === 'InProgress';
    const resource = [...this.options.azure.resources.values()].find(({ operation }) => path === `/operations/${operation?.id}`);
    if (runs && resource) this.told.set(`${process.number} ${resource.path.toLowerCase()}`, this.writerOf(process, resource.path));
  }

  /** A request of the controller, when Azure gets it; answers the uid of its object. */
  public requested(process: Time, delivered: Delivered, { method, path, body }: AzureRequest, principal: Principal): string {
    if (path.startsWith('/operations/')) return '';
    const { kube, azure, now } = this.options;
    const id = path.replace(/\/listKeys$/, '').toLowerCase();
    const object = kube.all().find(({ metadata }) => metadata.annotations?.[ID]?.toLowerCase() === id);
    const isWrite = method === 'PUT' || method === 'DELETE';
    const begun = object && this.pictures.get(`${process.number} ${objectName(object)}`);
    if (isWrite) this.takesTurns(method, path, this.writerOf(process, path), begun?.at ?? now());
    if (!object) {
      // The cache may still show an object that is gone; what was there before it went is not there any more.
      const isLate = method === 'DELETE' && [...this.idOf.values()].includes(id) && !azure.find(path);
      if (method === 'PUT' || (method === 'DELETE' && !isLate)) {
        this.violated(`${method} ${path}: no object in the cluster remembers this id`);
      }
      return '';
    }
    if (hasSecretOf(JSON.stringify(body ?? ''), object.metadata.namespace!)) {
      this.violated(`a secret of another namespace is in ${method} ${path}`);
    }
    const current = pictureOf(kube, delivered, object, now());
    const pictures = [begun, current].filter((picture) => picture !== undefined);
    this.signedIn(method, path, object, pictures, principal);
    if (isWrite) this.idFits(method, path, object);
    if (this.options.mayReach?.(object.metadata.namespace!, id) === false) {
      this.violated(`${method} ${path} for ${objectName(object)}: outside of its team's resource groups`);
    }
    if (method === 'PUT') {
      this.puts(object, begun, current, body, path, process.now());
      this.isKept(object, path, principal);
    }
    if (method === 'DELETE') this.deletes(object, begun, current);
    return object.metadata.uid!;
  }

  /** A write to Kubernetes, by whomever. */
  public written(write: Write): void {
    const { object, previous, by, removed } = write;
    const { uid, annotations, namespace = '' } = object.metadata;
    if (annotations?.[POLICY] !== previous?.metadata.annotations?.[POLICY]) {
      this.policyChanged.set(object.kind === 'Namespace' ? object.metadata.name : uid!, this.options.now());
    }
    if (isReady(object)) this.everReady.add(objectName(object));
    if (
      by === 'controller'
      && (object.kind === 'Secret' || object.kind === 'ConfigMap')
      && (write.what === 'create' || write.what === 'replace')
    ) {
      this.exported(object);
    }
    if (removed && object.kind === 'Secret' && object.metadata.name === OF_NAMESPACE) this.credentialGone(object);
    if (!AZURE_TYPES.includes(typeOf(object))) return;
    const id = annotations?.[ID]?.toLowerCase();
    const known = this.idOf.get(uid!);
    if (id && known && id !== known) {
      this.violated(`${objectName(object)}: its id was ${known} and is ${id} now: two resources of one object`);
    }
    if (id) this.idOf.set(uid!, id);
    if (removed) this.removed(object, namespace);
  }

  public violated(text: string): void {
    this.violations.push(text);
    this.options.log(`violated: ${text}`);
  }

  /** Of nothing that a process could know, and of nothing that is true where it could not, may the request be forbidden. */
  private puts(object: Stored, begun: Picture | undefined, current: Picture | undefined, body: unknown, path: string, clock: number): void {
    const { azure } = this.options;
    const { uid, finalizers, annotations, namespace } = object.metadata;
    const name = objectName(object);
    if (!finalizers?.includes(FINALIZER)) this.violated(`${name}: PUT before the finalizer is stored`);
    if (!annotations?.[RECORD]) this.violated(`${name}: PUT before the intent is stored`);
    if (begun?.policy === 'skip' && current?.policy === 'skip') {this.violated(`${name}: PUT although its policy is skip${unknownOf(begun)}`);}
    if (this.isLongSince(object) && this.truePolicy(object) === 'skip') {
      this.violated(`${name}: PUT although its policy has long been skip`);
    }
    const running = azure.isChanging(path);
    const isOverdue = clock - (this.wishedAt.get(uid!) ?? clock) >= OVERDUE;
    this.wishedAt.set(uid!, clock);
    if (running?.by === uid && !azure.find(path)?.misled && !isOverdue) {
      const same = sameBody(azure.find(path)!.body, body) ? 'the same' : 'another';
      this.violated(`${name}: PUT (${same} body) while the operation of its last PUT runs`);
    }
    const owner = (object.spec?.owner as { readonly name?: string } | undefined)?.name;
    if (!this.sent.has(uid!) && owner && ![...this.everReady].some((ready) => ready.endsWith(` ${namespace}/${owner}`))) {
      this.violated(`${name}: first PUT although its owner was never Ready`);
    }
    this.sent.add(uid!);
  }

  private deletes(object: Stored, begun: Picture | undefined, current: Picture | undefined): void {
    const name = objectName(object);
    if (begun?.policy !== 'manage' && current?.policy !== 'manage') {this.violated(`${name}: DELETE although its policy is ${begun?.policy}${unknownOf(begun)}`);}
    if (!begun?.isDeleting) this.violated(`${name}: DELETE although nobody deletes the object`);
    if (this.isLongSince(object) && this.truePolicy(object) !== 'manage') {
      this.violated(`${name}: DELETE although its policy has long been ${this.truePolicy(object)}`);
    }
  }

  /** With the credential that rules over the object, as it was when the reconcile began or is now. */
  private signedIn(method: string, path: string, object: Stored, pictures: readonly Picture[], { clientId }: Principal): void {
    const { globalClient } = this.options;
    const fits = pictures.some(({ credential }) =>
      credential.is === 'client' ? credential.clientId === clientId : credential.is === 'global' && clientId === globalClient,
    );
    if (fits || pictures.length === 0) return;
    const whose = clientId === globalClient ? 'the global credential' : `the credential ${clientId}`;
    this.violated(`${method} ${path} of ${objectName(object)} with ${whose}${unknownOf(pictures[0])}, and not with its own`);
  }

  /** The Secret of the credential stays until the object is gone: its finalizer is there, and says so for the object's kind. */
  private isKept(object: Stored, path: string, { clientId }: Principal): void {
    const { kube, globalClient } = this.options;
    const secret = clientId === globalClient ? undefined : kube.get(SECRETS, object.metadata.namespace, secretNameOf(object));
    if (secret && !isKeptFor(secret, object)) {
      this.violated(`PUT ${path} of ${objectName(object)}, whose credential's Secret has no finalizer for its kind`);
    }
  }

  private idFits(method: string, path: string, object: Stored): void {
    const expected = this.expectedId(object);
    if (expected !== undefined && expected.toLowerCase() !== path.toLowerCase()) {
      this.violated(`${method} ${path} for ${objectName(object)}, whose id is ${expected}`);
    }
  }

  /** From the specs of the object and of those that own it. Where an owner is gone nobody can tell. */
  private expectedId(object: Stored): string | undefined {
    const owner = (object.spec?.owner as { readonly name?: string } | undefined)?.name;
    const above =
      owner === undefined
        ? undefined
        : this.options.kube
          .all()
          .find(
            ({ kind, metadata }) =>
              kind !== object.kind
                && kind !== 'Secret'
                && kind !== 'ConfigMap'
                && metadata.namespace === object.metadata.namespace
                && metadata.name === owner,
          );
    return expectedArmId(object, this.options.subscription, above && this.expectedId(above));
  }

  private truePolicy(object: Stored): string {
    return policyOf(object, this.options.kube.get(NAMESPACES, undefined, object.metadata.namespace!));
  }

  /** Whether no policy of the object has changed for so long that everybody knows. */
  private isLongSince({ metadata: { uid, namespace } }: Stored): boolean {
    const changed = Math.max(this.policyChanged.get(uid!) ?? -Infinity, this.policyChanged.get(namespace!) ?? -Infinity);
    return this.options.now() - changed > OLDEST_POLICY;
  }

  /** A PUT of a parent has deleted a child that it did not name. */
  private childLost(child: Resource, parent: string, by: string): void {
    const id = child.path.toLowerCase();
    const object = this.options.kube.all().find(({ metadata }) => metadata.annotations?.[ID]?.toLowerCase() === id);
    const isNew = this.options.now() - Date.parse(child.createdAt) < PARENT_IS_READ_BEFORE;
    if (child.isHandmade && isNew) return;
    this.violated(`a PUT of ${parent} (${by}) deletes ${child.path}, which is ${object ? objectName(object) : 'somebody else\'s'}`);
  }

  /** A process, with how wrong its clock is: what it knew before somebody set that, or before it gave the namespace away, is forgotten. */
  private writerOf(process: Time, path: string): string {
    return `${process.number}/${this.options.tenure?.(process.number, path) ?? 0} ${process.now() - this.options.now()}`;
  }

  /** A reconcile of the object of a resource ends. */
  private follows(process: number, resource: Resource | undefined): void {
    const path = resource?.path.toLowerCase() ?? '';
    const writer = this.told.get(`${process} ${path}`);
    if (writer === undefined) return;
    this.told.delete(`${process} ${path}`);
    const now = this.options.now();
    const known = this.followers.get(`${writer} ${path}`);
    const goesOn = known && now - known.at < WAITS_WITHOUT_A_SIGN;
    this.followers.set(`${writer} ${path}`, { since: goesOn ? known.since : now, at: now });
  }

  /**
   * A process waits for an operation that it has begun itself, or that it follows. It cannot if Azure has misled it or has lost the
   * operation; it need not after a long time without an answer, and a change of the clock may look like such a time. A reconcile that began
   * during the silence may then have got its lock: it keeps the lock when Azure answers again.
   */
  private takesTurns(method: string, path: string, process: string, began: number): void {
    const busy = this.options.azure.busySibling(path);
    const isClockRight = process.endsWith(' 0');
    const isHeard = busy && this.options.now() - busy.heardAt < WAITS_WITHOUT_A_SIGN && busy.heardSince < began;
    const isKnown = isHeard && !busy.misled && !busy.operation!.lost;
    const isOwn = busy && (this.writers.get(busy.path.toLowerCase()) === process || this.isFollowed(busy.path, process, began));
    if (isClockRight && isKnown && isOwn) {
      this.violated(`${method} ${path} while the operation of ${busy.path} beside it runs`);
    }
    // A write that Azure refuses because an operation runs has not begun that operation.
    if (!this.options.azure.find(path)?.operation) this.writers.set(path.toLowerCase(), process);
  }

  private isFollowed(path: string, process: string, began: number): boolean {
    const known = this.followers.get(`${process} ${path.toLowerCase()}`);
    return known !== undefined && known.since < began && this.options.now() - known.at < WAITS_WITHOUT_A_SIGN;
  }

  private exported(object: Stored): void {
    const { azure, kube } = this.options;
    const uid = object.metadata.ownerReferences?.[0]?.uid;
    const owner = kube.all().find(({ metadata }) => metadata.uid === uid && uid !== undefined);
    const id = owner?.metadata.annotations?.[ID];
    // A watched object shows the current state; and Azure may have returned an older one.
    if (!owner || !id || this.isOnlyWatched(owner)) return;
    if (azure.isChanging(id)?.by === uid && !azure.find(id)?.misled) {
      this.violated(`${objectName(object)} is exported while the operation of ${objectName(owner)} runs`);
    }
  }

  private isOnlyWatched(object: Stored): boolean {
    const name = ` ${objectName(object)}`;
    return [...this.pictures].some(([key, { policy }]) => key.endsWith(name) && policy === 'skip');
  }

  /**
   * Deleting a credential, by itself or with its namespace, must not take it from an object that has a resource in Azure. A credential that
   * came after the objects, and that no process has seen since, cannot have been kept for them.
   */
  private credentialGone({ metadata: { namespace } }: Stored): void {
    const users = AZURE_TYPES.flatMap((type) => this.options.kube.all(type))
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.finalizers?.includes(FINALIZER))
      .filter((object) => !this.globalUsers.has(objectName(object)));
    if (users.length > 0) this.violated(`the credential of ${namespace} is gone before ${users.map(objectName).join(', ')}`);
  }

  /** The last finalizer is gone: no resource of the object may be left, unless its policy keeps it. */
  private removed(object: Stored, namespace: string): void {
    const { uid, annotations } = object.metadata;
    const changed = Math.max(this.policyChanged.get(uid!) ?? -Infinity, this.policyChanged.get(namespace) ?? -Infinity);
    if (!this.sent.has(uid!) || this.truePolicy(object) !== 'manage' || this.options.now() - changed < POLICY_REACHES_IN) return;
    const left = this.options.azure.find(annotations?.[ID] ?? '');
    if (left) this.violated(`${objectName(object)} is gone, and its resource is left behind in Azure`);
  }
}

function unknownOf(picture: Picture | undefined): string {
  return picture && picture.unknown.length > 0 ? ` (lists that had not come: ${picture.unknown.join(', ')})` : '';
}
