import { lineOf, sameBody, WAITS_WITHOUT_A_SIGN, type AzureModel } from './azure-model';
import { AZURE_TYPES, typeOf } from './kinds';
import type { KubeModel, Write } from './kube-model';
import type { Process } from './process';
import type { ArmRequest } from '../../controller/azure/types';
import { NAMESPACE_SECRET } from '../../controller/credentials';
import type { KubernetesObject } from '../../controller/kubernetes/types';
import type { EventText } from '../../controller/reconcile/core/observed';
import type { PassReport } from '../../controller/reconcile/reconciler';

const FINALIZER = 'serviceoperator.azure.com/finalizer';
const POLICY = 'serviceoperator.azure.com/reconcile-policy';
export const RECORD = 'aso.cdk8s.io/last-put';
const TOKEN = 'serviceoperator.azure.com/poller-resume-token';
export const ID = 'serviceoperator.azure.com/resource-id';

/** Policies that changed so recently may not have reached the controller, or not the one that decided. */
const POLICY_REACHES_IN = 300_000;
const SECRET = /HIDDEN-([a-z])-/g;

export const objectName = ({ kind, metadata: { namespace, name } }: KubernetesObject): string => `${kind} ${namespace}/${name}`;

export function policyOf(object: KubernetesObject, namespace: KubernetesObject | undefined): string {
  return object.metadata.annotations?.[POLICY] || namespace?.metadata.annotations?.[POLICY] || 'manage';
}

export function isReady(object: KubernetesObject | undefined): boolean {
  return object?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

/** What the controller has in front of it when a pass begins: what is decided in the pass is held against this. */
interface Seen {
  readonly policy: string;
  readonly isDeleting: boolean;
  readonly at: number;
}

/** Watches all that the controller does to Kubernetes and to Azure, and says what it must never do. */
export class Invariants {
  public readonly violations: string[] = [];
  private readonly seen = new Map<string, Seen>();
  private readonly sent = new Set<string>();
  /** When an object came, in order, by uid. */
  private readonly born = new Map<string, number>();
  private readonly everReady = new Set<string>();
  private readonly idOf = new Map<string, string>();
  private readonly policyChanged = new Map<string, number>();
  /** Writes that are under way, by line. */
  private readonly flights = new Map<string, string>();
  /** Which process has begun the last write, and how wrong its clock was, by path. */
  private readonly writers = new Map<string, string>();

  public constructor(
    private readonly kube: KubeModel,
    private readonly azure: AzureModel,
    private readonly now: () => number,
    private readonly log: (line: string) => void,
  ) {}

  public passBegins(name: string, object: KubernetesObject | undefined, namespace: KubernetesObject | undefined): void {
    if (!object) return;
    this.seen.set(name, { policy: policyOf(object, namespace), isDeleting: object.metadata.deletionTimestamp !== undefined, at: this.now() });
  }

  /** What Azure has accepted is on record when the pass is over. */
  public passEnds({ key, object, actions, result }: PassReport): void {
    const resource = this.azure.find(object.metadata.annotations?.[ID] ?? '');
    // Who lets go of its resource, or only looks on, follows its operation no more: the turn is given up, and whoever comes next need not wait any
    // more (Azure refuses it while the operation runs, and it is tried again).
    const isGivenUp = result.kind === 'done' || this.seen.get(objectName(object))?.policy === 'skip';
    if (resource && isGivenUp) resource.heardAt = -Infinity;
    // What was heard counts for others when the pass is over that has heard it.
    if (resource?.heardSince === Infinity) resource.heardSince = this.now();
    if (!actions.includes('put') || result.kind === 'failure' || result.kind === 'done') return;
    const type = AZURE_TYPES.find(({ group, kind }) => group === key.group && kind === key.kind)!;
    const stored = this.kube.get(type, key.namespace, key.name);
    if (!stored?.metadata.finalizers?.includes(FINALIZER)) return;
    const record = JSON.parse(stored.metadata.annotations?.[RECORD] ?? '{}') as { answered?: boolean };
    if (!record.answered) this.violated(`${objectName(stored)}: Azure has accepted a PUT, and the record does not say so`);
    if (actions.at(-1) === 'put' && !stored.metadata.annotations?.[TOKEN]) this.violated(`${objectName(stored)}: an operation runs, and its token is not stored`);
  }

  /** A request leaves a process; the answer is to be called when the process knows what became of it, or knows that it never will. */
  public sending(process: number, { method }: ArmRequest, path: string): () => void {
    const line = method === 'PUT' || method === 'DELETE' ? lineOf(path) : undefined;
    if (line === undefined) return () => undefined;
    const name = `${process} ${line}`;
    const other = this.flights.get(name);
    if (other) this.violated(`${method} ${path} while a write of ${other} beside it is under way`);
    this.flights.set(name, path);
    return () => this.flights.delete(name);
  }

  /** A request of the controller, when Azure gets it; answers the uid of its object. */
  public requested({ method, body }: ArmRequest, path: string, process: Pick<Process, 'number' | 'now'>): string {
    if (path.startsWith('/operations/')) return '';
    const id = path.replace(/\/listKeys$/, '').toLowerCase();
    const object = this.kube.all().find(({ metadata }) => metadata.annotations?.[ID]?.toLowerCase() === id);
    const began = object && this.seen.get(objectName(object))?.at;
    if (method === 'PUT' || method === 'DELETE') this.takesTurns(method, path, `${process.number} ${process.now() - this.now()}`, began ?? this.now());
    if (!object) {
      // The cache may still show an object that is gone; what was there before it went is not there any more.
      const isLate = method === 'DELETE' && [...this.idOf.values()].includes(id) && !this.azure.find(path);
      if (method === 'PUT' || (method === 'DELETE' && !isLate)) this.violated(`${method} ${path}: no object in the cluster remembers this id`);
      return '';
    }
    const seen = this.seen.get(objectName(object));
    this.secretsStay(JSON.stringify(body ?? ''), object.metadata.namespace!, `${method} ${path}`);
    if (method === 'PUT') this.puts(object, seen, body, path);
    if (method === 'DELETE') {
      if (seen?.policy !== 'manage') this.violated(`${objectName(object)}: DELETE although its policy is ${seen?.policy}`);
      if (!seen?.isDeleting) this.violated(`${objectName(object)}: DELETE although nobody deletes the object`);
    }
    return object.metadata.uid!;
  }

  /** The global credential is for those whose namespace had none when they were made. */
  public sentGlobally(method: string, path: string): void {
    const object = this.kube.all().find(({ metadata }) => metadata.annotations?.[ID]?.toLowerCase() === path.toLowerCase());
    const secret = this.kube.objects.get(`/Secret/${object?.metadata.namespace}/${NAMESPACE_SECRET}`);
    if (method !== 'PUT' || !object || !secret || secret.metadata.deletionTimestamp) return;
    if (this.born.get(secret.metadata.uid!)! < this.born.get(object.metadata.uid!)!) {
      this.violated(`PUT of ${objectName(object)} with the global credential, and its namespace had its own before it`);
    }
  }

  /** A write to Kubernetes, by whomever. */
  public written(write: Write): void {
    const { object, previous, by, removed } = write;
    if (!previous) this.born.set(object.metadata.uid!, this.born.size);
    const { uid, annotations, namespace = '' } = object.metadata;
    if (annotations?.[POLICY] !== previous?.metadata.annotations?.[POLICY]) this.policyChanged.set(object.kind === 'Namespace' ? object.metadata.name : uid!, this.now());
    if (isReady(object)) this.everReady.add(objectName(object));
    if (by === 'controller' && (object.kind === 'Secret' || object.kind === 'ConfigMap') && (write.what === 'create' || write.what === 'replace')) this.exported(object);
    if (removed && object.kind === 'Secret' && object.metadata.name === NAMESPACE_SECRET) this.credentialGone(object);
    if (!AZURE_TYPES.includes(typeOf(object))) return;
    const id = annotations?.[ID]?.toLowerCase();
    const known = this.idOf.get(uid!);
    if (id && known && id !== known) this.violated(`${objectName(object)}: its id was ${known} and is ${id} now: two resources of one object`);
    if (id) this.idOf.set(uid!, id);
    if (removed) this.removed(object, namespace);
  }

  /** What the controller sends to the API server: nobody may read a secret there who may not read Secrets. */
  public sentToKubernetes(sent: unknown): void {
    const object = sent as KubernetesObject;
    if (object.kind !== 'Secret') return this.secretsStay(JSON.stringify(object), '-', `a write of ${objectName(object)}`);
    const { data = {}, stringData = {}, ...rest } = object;
    this.secretsStay(JSON.stringify(rest), '-', `metadata of ${objectName(object)}`);
    const values = [...Object.values(stringData), ...Object.values(data).map((value) => Buffer.from(value, 'base64').toString())];
    this.secretsStay(values.join(' '), object.metadata.namespace!, objectName(object));
  }

  public event({ reason, message }: EventText): void {
    this.secretsStay(message, '-', `an event ${reason}`);
  }

  public violated(text: string): void {
    this.violations.push(text);
    this.log(`violated: ${text}`);
  }

  private puts(object: KubernetesObject, seen: Seen | undefined, body: unknown, path: string): void {
    const { uid, finalizers, annotations, namespace } = object.metadata;
    const name = objectName(object);
    if (!finalizers?.includes(FINALIZER)) this.violated(`${name}: PUT before the finalizer is stored`);
    if (!annotations?.[RECORD]) this.violated(`${name}: PUT before the intent is stored`);
    if (seen?.policy === 'skip') this.violated(`${name}: PUT although its policy is skip`);
    const running = this.azure.isChanging(path);
    if (running?.by === uid && !this.azure.find(path)?.misled) {
      const same = sameBody(this.azure.find(path)!.body, body) ? 'the same' : 'another';
      this.violated(`${name}: PUT (${same} body) while the operation of its last PUT runs`);
    }
    const owner = (object.spec?.owner as { readonly name?: string } | undefined)?.name;
    if (!this.sent.has(uid!) && owner && ![...this.everReady].some((ready) => ready.endsWith(` ${namespace}/${owner}`))) {
      this.violated(`${name}: first PUT although its owner was never Ready`);
    }
    this.sent.add(uid!);
  }

  /**
   * What a process has begun itself it waits for. It cannot where Azure has misled it, or knows nothing of the operation any more; it need not when
   * nothing was heard of it for long, and when the clock was set it may take that time for over. A pass that began in the time without a sign may
   * have got its turn then: that Azure is heard of again takes it from nobody.
   */
  private takesTurns(method: string, path: string, process: string, began: number): void {
    const busy = this.azure.busySibling(path);
    const isClockRight = process.endsWith(' 0');
    const isHeard = busy && this.now() - busy.heardAt < WAITS_WITHOUT_A_SIGN && busy.heardSince < began;
    const isKnown = isHeard && !busy.misled && !busy.operation!.lost;
    if (isClockRight && isKnown && this.writers.get(busy.path.toLowerCase()) === process) {
      this.violated(`${method} ${path} while the operation of ${busy.path} beside it runs`);
    }
    this.writers.set(path.toLowerCase(), process);
  }

  private exported(object: KubernetesObject): void {
    const uid = object.metadata.ownerReferences?.[0]?.uid;
    const owner = this.kube.all().find(({ metadata }) => metadata.uid === uid && uid !== undefined);
    const id = owner?.metadata.annotations?.[ID];
    // Who only watches shows what there is; and Azure may have shown what was before.
    if (owner && this.seen.get(objectName(owner))?.policy === 'skip') return;
    if (owner && id && this.azure.isChanging(id)?.by === uid && !this.azure.find(id)?.misled) this.violated(`${objectName(object)} is exported while the operation of ${objectName(owner)} runs`);
  }

  /** Whoever deletes a credential, by itself or with its namespace, takes it from nobody who has something in Azure. */
  private credentialGone({ metadata: { namespace } }: KubernetesObject): void {
    const users = AZURE_TYPES.flatMap((type) => this.kube.all(type))
      .filter(({ metadata }) => metadata.namespace === namespace && metadata.finalizers?.includes(FINALIZER));
    if (users.length > 0) this.violated(`the credential of ${namespace} is gone before ${users.map(objectName).join(', ')}`);
  }

  /** The last finalizer is gone: nothing of it may be left, unless somebody wanted that. */
  private removed(object: KubernetesObject, namespace: string): void {
    const { uid, annotations } = object.metadata;
    const home = this.kube.objects.get(`/Namespace//${namespace}`);
    const changed = Math.max(this.policyChanged.get(uid!) ?? -Infinity, this.policyChanged.get(namespace) ?? -Infinity);
    if (!this.sent.has(uid!) || policyOf(object, home) !== 'manage' || this.now() - changed < POLICY_REACHES_IN) return;
    const left = this.azure.find(annotations?.[ID] ?? '');
    if (left) this.violated(`${objectName(object)} is gone, and its resource is left behind in Azure`);
  }

  private secretsStay(text: string, namespace: string, where: string): void {
    for (const [, home] of text.matchAll(SECRET)) if (home !== namespace) this.violated(`a secret of namespace ${home} is in ${where}`);
  }
}
