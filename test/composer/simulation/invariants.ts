import type { KubernetesObject } from '../../../engine/kubernetes';
import { composed, environmentOf } from '../composition';
import { CLAIMS, keyOfObject, textOf, type FakeCluster, type LoggedWrite } from '../fake-cluster';

const PART_OF = 'applyset.kubernetes.io/part-of';

/** Whether all of a value is in another one, which may have more members. */
function isIn(wanted: unknown, live: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return wanted === live;
  return typeof live === 'object' && live !== null
    && Object.entries(wanted).every(([name, value]) => isIn(value, (live as Record<string, unknown>)[name]));
}

/** The invariants of a run. They judge by the log of the cluster alone: who has made, changed and deleted which object. */
export class Invariants {
  public readonly violations: string[] = [];
  /** Makers of the objects, by uid. */
  private readonly makers = new Map<string, string>();
  /** Uid of the claim for which the composer has made an object, by the object's uid. */
  private readonly claims = new Map<string, string>();
  /** Uids that a claim's status has had. */
  private readonly listed = new Set<string>();

  public constructor(private readonly cluster: FakeCluster) {
    cluster.onWrite = (write) => this.see(write);
  }

  public madeBy({ metadata: { uid = '' } }: KubernetesObject): string | undefined {
    return this.makers.get(uid);
  }

  /** When nobody changes anything any more. */
  public atTheEnd(revision: string): void {
    const expected = new Set<string>();
    for (const claim of this.claimsNow()) {
      const environment = environmentOf(claim);
      const wanted = composed(claim, revision, environment && this.cluster.get(environment)).rendered;
      const outputs = Object.fromEntries(Object.entries(wanted?.outputs ?? {})
        .map(([name, output]) => [name, (output as { value: unknown }).value]));
      if (wanted && !isIn(outputs, claim.status?.outputs)) {
        this.fail(`${claim.metadata.name} has the outputs ${JSON.stringify(claim.status?.outputs)}`);
      }
      for (const { manifest } of wanted?.objects ?? []) {
        const key = textOf(keyOfObject(manifest));
        expected.add(key);
        const live = this.cluster.get(keyOfObject(manifest));
        if (!live) {this.fail(`${key} is missing`);} else if (!isIn([manifest.spec, manifest.data], [live.spec, live.data])) {
          this.fail(`${key} is ${JSON.stringify([live.spec, live.data])}, not ${JSON.stringify([manifest.spec, manifest.data])}`);
        }
      }
      const states = Object.fromEntries((claim.status?.conditions ?? []).map(({ type, status, message }) => [type, status === 'True' ? status : message]));
      if (states.Synced !== 'True' || states.Ready !== 'True') this.fail(`${claim.metadata.namespace}/${claim.metadata.name} is ${JSON.stringify(states)}`);
      if (claim.status?.definition !== revision) this.fail(`${claim.metadata.name} has not the revision ${revision}`);
    }
    for (const object of this.cluster.all()) {
      const key = textOf(keyOfObject(object));
      if (object.kind !== CLAIMS.kind && this.isKnownAsMade(object) && !expected.has(key)) this.fail(`${key} is orphaned`);
      if (object.metadata.deletionTimestamp !== undefined) this.fail(`${key} is not gone`);
    }
  }

  /** Without label and with a uid that no claim has listed, nothing tells that the composer has made an object. */
  private isKnownAsMade(object: KubernetesObject): boolean {
    const { uid = '', labels = {} } = object.metadata;
    return this.madeBy(object) === 'composer' && (PART_OF in labels || this.listed.has(uid));
  }

  private see({ actor, verb, key, uid, before }: LoggedWrite): void {
    if (verb === 'create') this.makers.set(uid, actor);
    if (actor !== 'composer') return;
    if (verb === 'status') for (const listed of this.objectsOf(key)) this.listed.add(listed);
    const isClaim = key.startsWith(`${CLAIMS.group}/`);
    if (verb === 'create') {
      const claim = this.claimOfKey(key);
      if (!claim) this.fail(`${key} is made for no claim`);
      else this.claims.set(uid, claim.metadata.uid!);
    } else if (!isClaim && this.makers.get(uid) !== 'composer') {
      this.fail(`the composer has written ${key} (${verb}), which ${this.makers.get(uid)} has made`);
    }
    if (verb === 'delete' && !isClaim) this.seeDeletion(key, uid, before);
  }

  /** Of a claim that is being deleted, nothing goes before what needs it. */
  private seeDeletion(key: string, uid: string, before: KubernetesObject | undefined): void {
    const claim = this.claimsNow().find(({ metadata }) => metadata.uid === this.claims.get(uid));
    if (claim?.metadata.deletionTimestamp === undefined || before?.kind !== 'ResourceGroup') return;
    const left = this.cluster.all().filter((object) =>
      object.kind === 'StorageAccount' && this.isKnownAsMade(object) && this.claims.get(object.metadata.uid!) === claim.metadata.uid);
    if (left.length > 0) this.fail(`${key} is deleted before ${left.map(({ metadata }) => metadata.name).join(', ')}`);
  }

  private objectsOf(key: string): string[] {
    const claim = this.claimsNow().find((one) => textOf(keyOfObject(one)) === key);
    return (claim?.status?.objects as { uid?: string }[] | undefined ?? []).flatMap(({ uid }) => uid ?? []);
  }

  private claimOfKey(key: string): KubernetesObject | undefined {
    const [, , namespace, name = ''] = key.split('/');
    const inNamespace = this.claimsNow().filter(({ metadata }) => metadata.namespace === namespace);
    return inNamespace.find(({ metadata }) => name === metadata.name || name.startsWith(`${metadata.name}-`)) ?? (name === 'shared' ? inNamespace[0] : undefined);
  }

  private claimsNow(): KubernetesObject[] {
    return this.cluster.all().filter(({ kind }) => kind === CLAIMS.kind);
  }

  private fail(violation: string): void {
    if (!this.violations.includes(violation)) this.violations.push(violation);
  }
}
