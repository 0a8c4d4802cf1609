import type { LiveClaim } from './live-objects';
import { localChange } from './local-change';
import { isOwn } from '../../../composer/apply/decide';
import { desiredObject, type DesiredObject } from '../../../composer/apply/desired-object';
import { problemOfWrite } from '../../../composer/apply/failures';
import { InventoryError, inventoryOf, type InventoryEntry } from '../../../composer/apply/inventory';
import { composeInput } from '../../../composer/reconcile/composed-claims';
import type { FindObject } from '../../../composer/render/object-reads';
import type { Renderer } from '../../../composer/render/renderer';
import type { ComposeProblem } from '../../../composer/render/types';
import { nameOfKind } from '../../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { COMPOSED_FOR } from '../../../src/azure/annotations';
import { type ObjectId, objectIdOf, objectKeyOf, objectTitleOf } from '../../../src/object-id';
import { isRecord } from '../../../src/util/records';
import { serverSideChange, type DryRunClients, type ServerSideChange } from '../../cluster/server-side-change';
import { storedForm } from '../claim-check';

/** One composed object by a definition that is not in force yet. */
export interface ObjectDiff extends Partial<Omit<ServerSideChange, 'state'>> {
  readonly name: ObjectId;
  readonly state: ServerSideChange['state'] | 'pruned' | 'refused';
  /** Why it is refused. */
  readonly problem?: string;
}

/** A claim by a definition that is not in force yet. */
export interface ClaimDiff {
  readonly claim: KubernetesObject;
  readonly objects: readonly ObjectDiff[];
  /** Why nothing would be composed. */
  readonly problem?: ComposeProblem | { readonly reason: string; readonly message: string };
  /** Whether Synced of the claim has this reason already. */
  readonly failsAlready: boolean;
  /** Fields that the new schema does not have, and that the API server drops. */
  readonly dropped: readonly string[];
}

export interface ClaimDiffOptions {
  readonly renderer: Renderer;
  readonly clients: DryRunClients;
  readonly find: FindObject;
  readonly typeOf: (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>) => ResourceType | undefined;
  readonly typeOfKind: (name: ObjectId) => ResourceType | undefined;
  /** Compares without dry runs. */
  readonly isLocal: boolean;
}

/** @throws KubernetesError where the cluster does not answer; errors of the renderer */
export async function claimDiff({ claim, facts }: LiveClaim, options: ClaimDiffOptions): Promise<ClaimDiff> {
  const { spec, unknown: dropped, issues } = storedForm(claim, facts);
  const failed = (problem: NonNullable<ClaimDiff['problem']>): ClaimDiff =>
    ({ claim, objects: [], problem, dropped, failsAlready: reasonOf(claim) === problem.reason });
  if (issues.length > 0) return failed({ reason: 'InvalidSpec', issues });
  const { renderer, find } = options;
  const stored = composeInput({ ...claim, ...(isRecord(spec) && { spec }) });
  const { rendered, problem } = await renderer.compose(stored, { find });
  if (problem) return failed(problem);
  const name = objectIdOf(claim);
  const desired = rendered.objects.map((object) => desiredObject(object, name));
  let inventory: readonly InventoryEntry[];
  try {
    inventory = inventoryOf(claim);
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return failed({ reason: 'InventoryUnreadable', message: error.message });
  }
  const undeclared = inventory.find((entry) => !facts.composes.some((one) => one.group === entry.group && one.kind === entry.kind));
  if (undeclared) {
    return failed({
      reason: 'KindNotDeclared',
      message: `composes does not name ${nameOfKind(undeclared)} any more, `
      + `and the claim has ${objectTitleOf(undeclared)}`,
    });
  }
  const known = new Map(inventory.map((entry) => [objectKeyOf(entry), entry]));
  const objects: ObjectDiff[] = [];
  for (const one of desired) objects.push(await objectDiff(one, known.get(objectKeyOf(one)), name, options));
  const kept = new Set(desired.map(objectKeyOf));
  // The order in which they are deleted.
  for (const entry of inventory.filter((one) => !kept.has(objectKeyOf(one))).sort((a, b) => b.wave - a.wave)) {
    objects.push(...await prunedDiff(entry, name, options));
  }
  return { claim, objects, dropped, failsAlready: false };
}

async function objectDiff(
  desired: DesiredObject, entry: InventoryEntry | undefined, claim: ObjectId, { clients, typeOf, isLocal }: ClaimDiffOptions,
): Promise<ObjectDiff> {
  const { group, kind, namespace, name, manifest, path } = desired;
  const of: ObjectId = { group, kind, namespace, name };
  const refused = (problem: string): ObjectDiff => ({ name: of, state: 'refused', problem });
  const type = typeOf(manifest);
  if (!type) return refused(`the cluster does not serve ${manifest.apiVersion} ${kind} (${path})`);
  try {
    const live = await clients.client.get(type, name, namespace || undefined);
    if (live && !isOwn(live, entry ?? { ...of, wave: 0 }, claim)) {
      const owner = live.metadata.annotations?.[COMPOSED_FOR];
      return refused(`it exists already${owner === undefined ? '' : `, composed for ${owner}`}, `
        + `and the composer takes over nothing (${path})`);
    }
    if (isLocal) return { name: of, ...localChange(live, manifest) };
    try {
      return { name: of, ...await serverSideChange(clients, type, manifest, live ?? null) };
    } catch (error) {
      if (!(error instanceof KubernetesError) || !takesNoDryRun(error)) throw error;
      return { name: of, ...localChange(live, manifest) };
    }
  } catch (error) {
    const problem = problemOfWrite(error, 'apply', desired, path);
    if (!problem) throw error;
    return refused(problem.message);
  }
}

/** This user may not patch the object, or a webhook takes no dry run. What admission refuses has another sentence. */
function takesNoDryRun({ status, message }: KubernetesError): boolean {
  return (status === 403 && / cannot (patch|create) resource /.test(message)) || (status === 400 && /dry ?run/i.test(message));
}

async function prunedDiff(entry: InventoryEntry, claim: ObjectId, { clients, typeOfKind }: ClaimDiffOptions): Promise<ObjectDiff[]> {
  const { group, kind, namespace, name } = entry;
  const of: ObjectId = { group, kind, namespace, name };
  const type = typeOfKind(of);
  if (!type) return [{ name: of, state: 'refused', problem: `it would be deleted, and the cluster does not serve ${nameOfKind(of)}` }];
  const live = await clients.client.get(type, name, namespace || undefined);
  return live && isOwn(live, entry, claim) ? [{ name: of, state: 'pruned' }] : [];
}

function reasonOf({ status }: KubernetesObject): string | undefined {
  return status?.conditions?.find((one) => one.type === 'Synced' && one.status === 'False')?.reason;
}
