import { claimWrite } from './claim-refused';
import { statusBody } from './status-body';
import type { ComposerCache, ComposerClient } from './types';
import type { Clock } from '../../engine/clock';
import { KubernetesError, type CachedObject, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import type { EventText } from '../../runtime/events/event-text';
import { type ObjectId, objectKeyOf, objectTitleOf, versionNameOf } from '../../src/object-id';
import { omitUndefined } from '../../src/util/records';
import { setNewest } from '../../src/util/set-newest';
import type { Problem, Step } from '../apply/decide';
import type { DesiredObject } from '../apply/desired-object';
import { problemOfWrite } from '../apply/failures';
import { InventoryError, inventoryOf, type InventoryEntry } from '../apply/inventory';

export interface StepRunnerOptions {
  readonly client: ComposerClient;
  readonly cache: ComposerCache;
  readonly clock: Pick<Clock, 'now'>;
  readonly onEvent: (claim: KubernetesObject, event: EventText) => void;
  /** Called after each write of a composed object. */
  readonly onWrite: (verb: 'create' | 'apply' | 'delete', kind: string) => void;
}

/**
 * The resourceVersion with which server-side apply only creates: no object has it, so that the API server answers 409 where one exists, and
 * an object of somebody else is never taken over. A POST would do the same, but then its fields would belong to an update by this manager,
 * and a later apply could not remove them.
 */
export const CREATE_ONLY = '1';
/** An object that somebody else changes again and again is corrected at most this often. */
const CONTESTED_MS = 30_000;
const MOST_REMEMBERED = 10_000;

/** Carries out the steps of claims. */
export class StepRunner {
  /** When changes of others were last undone, by the key of the object. */
  private readonly corrected = new Map<string, number>();

  public constructor(private readonly options: StepRunnerOptions) {}

  public begin(claim: KubernetesObject, type: ResourceType): Run {
    return new Run(claim, type, this.options, (name) => this.remember(name));
  }

  public isContested(name: ObjectId): boolean {
    return this.options.clock.now() - (this.corrected.get(objectKeyOf(name)) ?? -Infinity) < CONTESTED_MS;
  }

  private remember(name: ObjectId): void {
    setNewest(this.corrected, objectKeyOf(name), this.options.clock.now(), MOST_REMEMBERED);
  }
}

/** One reconcile of a claim: what it has read and written so far. */
export class Run {
  public inventory: readonly InventoryEntry[] = [];
  /** Objects that were read or written in this reconcile; the cache may be behind. */
  private readonly seen = new Map<string, CachedObject>();

  public constructor(
    public claim: KubernetesObject,
    private readonly type: ResourceType,
    private readonly options: StepRunnerOptions,
    private readonly onCorrected: (name: ObjectId) => void,
  ) {}

  public find(name: ObjectId): CachedObject {
    return this.seen.get(objectKeyOf(name)) ?? this.options.cache.find(name);
  }

  public isRead(name: ObjectId): boolean {
    return this.seen.has(objectKeyOf(name));
  }

  /**
   * Answers the problem where the API server has refused a write.
   *
   * @throws KubernetesError where the reconcile has to be tried again
   */
  public async carryOut(step: Exclude<Step, { step: 'done' | 'wait' | 'held' | 'problem' }>): Promise<Problem | undefined> {
    switch (step.step) {
      case 'metadata':
      case 'release': return void await this.patchClaim(step.patch, step.step === 'release');
      case 'inventory': return void await this.writeInventory(step.entries);
      case 'write': return this.write(step.writes);
      case 'delete': return this.deleteAll(step.deletions);
      case 'read': return this.readAll(step.names);
      case 'forget': return void this.forget(step.entries);
    }
  }

  private async patchClaim(patch: object, isLast: boolean): Promise<void> {
    const { name, namespace } = this.claim.metadata;
    const changed = await claimWrite(isLast ? 'finalizers' : 'metadata', () =>
      this.options.client.patch(this.type, name, namespace, patch, 'application/merge-patch+json'));
    // The answer to the removal of the last finalizer is an object that is gone.
    if (isLast) return;
    this.claim = changed;
    this.options.cache.updateLocal(changed);
  }

  /**
   * The objects of `status.objects` keep what is known of their readiness, and nothing else: what was applied to an object that is created
   * again says nothing about the new one.
   */
  private async writeInventory(entries: readonly InventoryEntry[]): Promise<void> {
    const listed = this.claim.status?.objects as ListedObject[] | undefined ?? [];
    const known = new Map(listed.map((entry) => [objectKeyOf(normal(entry)), entry]));
    const objects = entries.map((entry) => {
      const { ready, reason } = known.get(objectKeyOf(entry)) ?? {};
      return { ...entry, ready, reason };
    });
    const status = { ...this.claim.status, objects: JSON.parse(JSON.stringify(objects)) as unknown[] };
    this.claim = await claimWrite('status', () => this.options.client.replaceStatus(this.type, statusBody(this.claim, status)));
    this.options.cache.updateLocal(this.claim);
    // A CRD without these members drops them, and objects that are not listed would be left behind.
    const stored = new Set(inventoryOf(this.claim).map(entryText));
    if (!entries.every((entry) => stored.has(entryText(entry)))) {
      throw new InventoryError('the CRD drops members of its elements. Apply the CRD of this definition (cdk8s-aso api build)');
    }
    this.inventory = entries;
  }

  /** The first problem in the order of the writes; the others are tried all the same. */
  private async write(writes: Extract<Step, { step: 'write' }>['writes']): Promise<Problem | undefined> {
    const problems: (Problem | undefined)[] = [];
    let error: unknown;
    for (const write of writes) {
      try {
        problems.push(await this.writeOne(write.desired, write.write === 'apply' ? write.uid : undefined));
      } catch (failure) {
        error ??= failure;
        // Nothing else will work while the API server does not answer.
        if (!(failure instanceof KubernetesError) || failure.status !== 409) throw failure;
      }
    }
    const [problem] = problems.filter((one) => one !== undefined);
    if (!problem && error !== undefined) throw error;
    return problem;
  }

  private async writeOne(desired: DesiredObject, uid: string | undefined): Promise<Problem | undefined> {
    const { client, cache, onWrite } = this.options;
    const type = this.typeOf(desired);
    const { manifest } = desired;
    const metadata = { ...manifest.metadata, ...(uid === undefined ? { resourceVersion: CREATE_ONLY } : { uid }) };
    const act = uid === undefined ? 'create' : 'apply';
    try {
      const written = await client.patch(type, desired.name, desired.namespace || undefined, { ...manifest, metadata }, 'application/apply-patch+yaml');
      onWrite(act, desired.kind);
      cache.updateLocal(written);
      this.seen.set(objectKeyOf(desired), { state: 'present', object: written });
      this.applied(desired, written);
      return undefined;
    } catch (error) {
      if (act === 'create' && error instanceof KubernetesError && error.status === 409) return this.read(desired);
      const problem = problemOfWrite(error, act, desired, desired.path);
      if (!problem) throw error;
      return problem;
    }
  }

  private applied(desired: DesiredObject, { metadata: { uid, generation } }: KubernetesObject): void {
    this.inventory = this.inventory.map((entry): InventoryEntry => {
      if (objectKeyOf(entry) !== objectKeyOf(desired)) return entry;
      if (entry.applied === desired.hash) this.onCorrected(desired);
      const { group, kind, namespace, name, wave } = entry;
      return omitUndefined({ group, kind, namespace, name, wave, uid, applied: desired.hash, generation });
    });
  }

  private async deleteAll(deletions: Extract<Step, { step: 'delete' }>['deletions']): Promise<Problem | undefined> {
    let problem: Problem | undefined;
    for (const { entry, uid } of deletions) {
      try {
        await this.options.client.delete(this.typeOf(entry), entry.name, entry.namespace || undefined, { uid });
        this.options.onWrite('delete', entry.kind);
      } catch (error) {
        // It is gone, which the cache will say.
        if (error instanceof KubernetesError && error.status === 404) continue;
        const refused = problemOfWrite(error, 'delete', entry);
        if (!refused) throw error;
        problem ??= refused;
      }
    }
    return problem;
  }

  private async readAll(names: readonly ObjectId[]): Promise<Problem | undefined> {
    for (const name of names) {
      const problem = await this.read(name);
      if (problem) return problem;
    }
    return undefined;
  }

  /** Asks the API server itself. */
  private async read(name: ObjectId): Promise<Problem | undefined> {
    try {
      const object = await this.options.client.get(this.typeOf(name), name.name, name.namespace || undefined);
      this.seen.set(objectKeyOf(name), object ? { state: 'present', object } : { state: 'absent' });
      return undefined;
    } catch (error) {
      const problem = problemOfWrite(error, 'read', name);
      if (!problem) throw error;
      return problem;
    }
  }

  private forget(entries: readonly InventoryEntry[]): void {
    const keys = new Set(entries.map(objectKeyOf));
    for (const entry of entries) {
      const found = this.find(entry);
      if (found.state !== 'present') continue;
      this.options.onEvent(this.claim, {
        type: 'Warning', reason: 'ObjectLeft', message: `${objectTitleOf(entry)} is left: it is not the object that was composed for this claim`,
      });
    }
    this.inventory = this.inventory.filter((entry) => !keys.has(objectKeyOf(entry)));
  }

  /** In the version of the manifest; for others in the watched one. */
  private typeOf(name: ObjectId & { readonly manifest?: KubernetesObject }): ResourceType {
    const type = this.options.cache.typeOf(name.group, name.kind);
    if (!type) throw new Error(`the cluster does not serve ${name.kind} of ${name.group || 'the core group'} any more`);
    const version = name.manifest && versionNameOf(name.manifest);
    return version === undefined ? type : { ...type, version };
  }
}

/** An element of `status.objects`. */
type ListedObject = ObjectId & { readonly ready?: boolean; readonly reason?: string };

function entryText({ group, kind, namespace, name, wave, uid = '' }: InventoryEntry): string {
  return JSON.stringify([group, kind, namespace, name, wave, uid]);
}

function normal({ group = '', kind, namespace = '', name }: ObjectId): ObjectId {
  return { group, kind, namespace, name };
}
