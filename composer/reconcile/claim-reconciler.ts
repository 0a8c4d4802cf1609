import { ClaimRefusedError, claimWrite } from './claim-refused';
import { ComposedClaims, isComposed, type Composed } from './composed-claims';
import { CONFIG_MAPS } from './config-maps';
import { statusBody } from './status-body';
import { StepRunner, type Run, type StepRunnerOptions } from './step-runner';
import type { ClaimKind, ClaimRenderer } from './types';
import { causeOf, KubernetesError, type KubernetesObject, type ObjectEvent, type ResourceType } from '../../engine/kubernetes';
import type { EventText } from '../../runtime/events/event-text';
import { type ObjectId, objectIdOf, objectKeyOf } from '../../src/object-id';
import { jsonEquals } from '../../src/util/json-equals';
import { counted } from '../../src/util/words';
import { decide, type Problem, type Step } from '../apply/decide';
import { InventoryError, inventoryOf } from '../apply/inventory';
import { statusOf, type StatusFacts } from '../status/claim-status';
import { ownObjects } from '../status/own-object';
import { readinessOf } from '../status/readiness';
import { evaluateReadiness, linksOf, outputsOf, type ReadKey } from '../status/values';

export interface ClaimReconcilerOptions extends StepRunnerOptions {
  readonly kinds: readonly ClaimKind[];
  readonly renderer: ClaimRenderer;
  /** Revision of the definition. */
  readonly revision: string;
  /** `cdk8s-aso/<version>` */
  readonly tooling: string;
  /** Whether the claim is composed now; see `Rollout`. */
  readonly mayCompose: (claim: KubernetesObject) => boolean;
  /** Whether the CRD of a kind is being deleted, as the API server says now. */
  readonly isKindLeaving: (kind: ClaimKind) => Promise<boolean>;
  /** Called when the claim has the present revision, or a problem. */
  readonly onReconciled: (claim: KubernetesObject, problem: Problem | undefined) => void;
}

/** The result of a reconcile. */
export interface ReconcileResult {
  /** A problem that may go away by itself: the claim is tried again with a growing delay. */
  readonly problem?: Problem | undefined;
  /** Time until the next look, in milliseconds, if no event comes before. */
  readonly againAfterMs?: number | undefined;
}

/** Steps of one reconcile; what is left then is done by the next one. */
const MOST_STEPS = 12;
/** Deletions are watched; this is for a watch that is late. */
const WHILE_DELETING_MS = 15_000;
const MOMENT_MS = 1_000;
/** Outputs that change all the time, such as the use of a quota, are written at most at this interval. */
const OUTPUTS_MS = 5_000;

/** Reconciles one claim: composes it, carries out what `decide` says step by step, and writes its status. */
export class ClaimReconciler {
  private readonly composed: ComposedClaims;
  private readonly runner: StepRunner;
  /** When outputs of a claim were last written, by its key. */
  private readonly outputsWritten = new Map<string, number>();

  public constructor(private readonly options: ClaimReconcilerOptions) {
    this.composed = new ComposedClaims(options.renderer, (name) => options.cache.find(name), () => options.clock.now());
    this.runner = new StepRunner(options);
  }

  /** The claim is gone. */
  public forget(key: ObjectId): void {
    this.composed.forget(key);
    this.outputsWritten.delete(objectKeyOf(key));
  }

  /** The claims that read the object of an event, and have to be reconciled for it: after these milliseconds. */
  public readersOf(event: ObjectEvent): readonly { readonly claim: ObjectId; readonly afterMs: number }[] {
    return this.composed.changedBy(event);
  }

  /** @throws KubernetesError, and errors of the renderer: the reconcile is tried again */
  public async reconcile(key: ObjectId): Promise<ReconcileResult> {
    const found = this.options.cache.find(key);
    const kind = this.options.kinds.find((one) => one.group === key.group && one.kind === key.kind);
    const type = this.options.cache.typeOf(key.group, key.kind);
    if (found.state !== 'present' || !kind || !type) return {};
    const claim = found.object;
    const isDeleting = claim.metadata.deletionTimestamp !== undefined;
    const mayCompose = !isDeleting && this.options.mayCompose(claim);
    const { answer, againAfterMs: staleAfterMs } = mayCompose ? await this.composed.of(claim, key) : {};
    // The claim may have changed while it was composed: its event has it reconciled again.
    try {
      const result = await this.carryOut(claim, key, kind, type, answer);
      return { ...result, againAfterMs: earliest(result.againAfterMs, staleAfterMs) };
    } catch (error) {
      if (error instanceof ClaimRefusedError) return this.untold(claim, error.problem);
      if (!(error instanceof InventoryError)) throw error;
      return this.untold(claim, { reason: 'InventoryUnreadable', message: error.message, isTriedAgain: true });
    }
  }

  private async carryOut(
    claim: KubernetesObject, key: ObjectId, kind: ClaimKind, type: ResourceType, composed: Composed | Problem | undefined,
  ): Promise<ReconcileResult> {
    const run = this.runner.begin(claim, type);
    const desired = composed && isComposed(composed) ? composed.objects : undefined;
    let problem = composed && !isComposed(composed) ? composed : undefined;
    let last: Step = { step: 'done' };
    run.inventory = inventoryOf(claim);
    const isDeleting = claim.metadata.deletionTimestamp !== undefined;
    const isKindLeaving = isDeleting && (await this.options.isKindLeaving(kind));
    const holders = isDeleting && !isKindLeaving ? this.holdersOf(key, kind) : [];
    if (!isList(holders)) problem = holders;
    const isDeclared = (name: ObjectId) => kind.composes.some((one) => one.group === name.group && one.kind === name.kind);
    for (let steps = 0; steps < MOST_STEPS && !problem; steps += 1) {
      last = decide({
        claim: run.claim,
        name: key,
        tooling: this.options.tooling,
        inventory: run.inventory,
        desired,
        find: (name) => run.find(name),
        isRead: (name) => run.isRead(name),
        isDeclared,
        isKindLeaving,
        holders: isList(holders) ? holders : [],
        isContested: (name) => this.runner.isContested(name),
      });
      if (last.step === 'done' || last.step === 'wait' || last.step === 'held') break;
      problem = last.step === 'problem' ? last.problem : await run.carryOut(last);
      if (last.step === 'release' && !problem) {
        if (run.inventory.length > 0) this.options.onEvent(claim, leftEvent(run.inventory.length));
        return {};
      }
      if (last.step === 'delete') break;
    }
    return this.report(run, type, composed, problem, last);
  }

  /** Claims of other kinds that hold up the deletion of a claim; the problem where they are not known. */
  private holdersOf({ name }: ObjectId, { heldBy = [] }: ClaimKind): readonly ObjectId[] | Problem {
    const { cache } = this.options;
    for (const { group, kind } of heldBy) {
      // Of any name: whether the list of the namespace is known.
      const listed = cache.find({ group, kind, namespace: name, name });
      if (listed.state === 'unknown') return { reason: 'CacheNotSynced', message: `nothing of this claim is deleted: ${listed.why}`, isTriedAgain: true };
    }
    return cache.claims().map(objectIdOf)
      .filter((one) => one.namespace === name && heldBy.some(({ group, kind }) => one.group === group && one.kind === kind))
      .sort((a, b) => (objectKeyOf(a) < objectKeyOf(b) ? -1 : 1));
  }

  /** Writes the status, if it differs, and records what has changed as events. */
  private async report(
    run: Run, type: ResourceType, composed: Composed | Problem | undefined, problem: Problem | undefined, last: Step,
  ): Promise<ReconcileResult> {
    const { claim, inventory } = run;
    const isDeleting = claim.metadata.deletionTimestamp !== undefined;
    const rendered = composed && isComposed(composed) ? composed : undefined;
    const desired = new Map((rendered?.objects ?? []).map((one) => [objectKeyOf(one), one]));
    const find = ownObjects(objectIdOf(claim), inventory, (name) => run.find(name));
    const readiness = inventory.map((entry) => readinessOf(entry, find(entry), desired.get(objectKeyOf(entry)), evaluateReadiness));
    // Where an object is somebody else's, the ConfigMap to which it exports is, too.
    const isWhole = [...desired.values()].every((one) => find(one).state !== 'foreign');
    const readKey: ReadKey = (...key) => (isWhole ? this.readKey(...key) : Promise.resolve(undefined));
    const isSynced = rendered !== undefined && !problem && last.step !== 'problem';
    const next = statusOf(claim, {
      now: this.options.clock.now(),
      inventory,
      readiness,
      revision: isSynced ? this.options.revision : undefined,
      tried: this.options.revision,
      composedGeneration: composed ? claim.metadata.generation : undefined,
      sync: syncOf(isDeleting, isSynced, problem, last),
      ...(rendered && !isDeleting
        ? { outputs: await outputsOf(rendered.rendered, find, readKey), links: linksOf(rendered.rendered) }
        : {}),
    });
    const outputsAfterMs = await this.writeStatus(claim, type, next);
    if (composed) this.options.onReconciled(claim, problem);
    if (problem) return { problem, againAfterMs: outputsAfterMs };
    const isWaiting = isDeleting || last.step === 'wait' || last.step === 'delete';
    const isUnfinished = last.step !== 'done' && !isWaiting;
    return { againAfterMs: earliest(outputsAfterMs, isUnfinished ? MOMENT_MS : isWaiting ? WHILE_DELETING_MS : undefined) };
  }

  /** Answers the time until the status has to be written, in milliseconds, where only outputs differ and the last ones are not old. */
  private async writeStatus(claim: KubernetesObject, type: ResourceType, next: Record<string, unknown>): Promise<number | undefined> {
    const before = claim.status ?? {};
    if (jsonEquals(before, next)) return undefined;
    const id = objectKeyOf(objectIdOf(claim));
    if (!jsonEquals(before.outputs ?? {}, next.outputs ?? {})) {
      const now = this.options.clock.now();
      const againAfterMs = (this.outputsWritten.get(id) ?? -Infinity) + OUTPUTS_MS - now;
      if (againAfterMs > 0 && jsonEquals({ ...before, outputs: undefined }, { ...next, outputs: undefined })) return againAfterMs;
      this.outputsWritten.set(id, now);
    }
    const written = await claimWrite('status', () => this.options.client.replaceStatus(type, statusBody(claim, next)));
    this.options.cache.updateLocal(written);
    for (const event of changes(claim, written)) this.options.onEvent(written, event);
    return undefined;
  }

  /** A problem that no condition says, because the status cannot be read or written: an event does. */
  private untold(claim: KubernetesObject, problem: Problem): ReconcileResult {
    this.options.onEvent(claim, { type: 'Warning', reason: problem.reason, message: problem.message });
    this.options.onReconciled(claim, problem);
    return { problem };
  }

  /** A key of a ConfigMap that a composed object exports; a ConfigMap that cannot be read gives no output. */
  private async readKey(namespace: string, name: string, key: string): Promise<string | undefined> {
    try {
      const object = await this.options.client.get(CONFIG_MAPS, name, namespace);
      return object?.data !== undefined && Object.hasOwn(object.data, key) ? object.data[key] : undefined;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 403) return undefined;
      throw new Error(`the ConfigMap ${namespace}/${name} cannot be read: ${causeOf(error)}`, { cause: error });
    }
  }
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

function syncOf(isDeleting: boolean, isSynced: boolean, problem: Problem | undefined, last: Step): StatusFacts['sync'] {
  if (problem) return { state: 'failed', problem };
  if (last.step === 'held') return { state: 'held', by: last.by };
  if (isDeleting) return { state: 'deleting', waitsFor: last.step === 'wait' ? last.for : last.step === 'delete' ? last.deletions.map(({ entry }) => entry) : [] };
  return { state: isSynced ? 'synced' : 'unchanged' };
}

function leftEvent(count: number): EventText {
  return { type: 'Warning', reason: 'ObjectsLeft', message: `${counted(count, 'object')} left: the CRD is being deleted. Apply CRD and claim again, and they belong to it again` };
}

function isList(holders: readonly ObjectId[] | Problem): holders is readonly ObjectId[] {
  return Array.isArray(holders);
}

/** Events about conditions that have changed. */
function changes(before: KubernetesObject, after: KubernetesObject): EventText[] {
  const events: EventText[] = [];
  for (const condition of after.status?.conditions ?? []) {
    const old = before.status?.conditions?.find(({ type }) => type === condition.type);
    const isNews = old?.status !== condition.status || (condition.type === 'Synced' && condition.status === 'False' && old?.reason !== condition.reason);
    if (!isNews || (condition.type !== 'Synced' && condition.type !== 'Ready')) continue;
    if (condition.type === 'Ready' && condition.status !== 'True' && old === undefined) continue;
    const type = condition.status === 'True' || condition.reason === 'Deleting' ? 'Normal' : 'Warning';
    events.push({ type, reason: condition.status === 'True' ? condition.type : condition.reason, message: condition.message ?? '' });
  }
  return events;
}
