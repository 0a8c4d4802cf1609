import type { LiveChange, PropertyDifference } from './changes';
import { describePlaceholder, isSecretPlaceholder, placeholdersIn } from './placeholders';
import { printableValues } from './printable-values';
import type { ReadOnlyClient } from './read-only-client';
import type { Reading } from './reading';
import { describeArmError } from '../../../engine/arm/arm-error';
import { describeResourceError } from '../../../engine/arm/resource-error';
import { ArmError } from '../../../engine/arm/types';
import { bodyShape, compare, driftOf, isMarkOf, type Difference, type Shape } from '../../../engine/compare';
import { comparableBody, KindError, type Body } from '../../../engine/kinds';
import { resourceState, type ResourceState } from '../../../engine/kinds/resource-state';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import { allowsDeletion, effectivePolicy } from '../../../engine/objects/reconcile-policy';
import { ownChildrenOf, type ObjectLookup } from '../../../engine/resolve';
import { ADOPT, REMOVAL_POLICY } from '../../../src/azure/annotations';
import { DATA_BEARING_KINDS } from '../../../src/azure/data-bearing-kinds';
import { immutableChanges, type ImmutableChange, type KindVersion } from '../../../src/catalog';
import { counted, plural } from '../../../src/util/words';
import type { Candidate, PlannedRequest } from '../requests';


export interface LiveContext {
  readonly client: ReadOnlyClient;
  readonly lookup: ObjectLookup;
  /** Whether an object is deleted, or about to be. Default: none is. */
  readonly isRemoved?: ((object: KubernetesObject) => boolean) | undefined;
}

/** The planned change of one resource. `reading` is absent where the resource was not read. */
export async function liveChangeOf(
  request: PlannedRequest, candidate: Candidate, reading: Reading | undefined, context: LiveContext,
): Promise<LiveChange> {
  const { manifest, path, armApiVersion } = request;
  const common = { manifest, armId: path, armApiVersion, properties: [], notes: [] };
  if (context.isRemoved?.(manifest.object)) return { ...common, ...removed(request, candidate, reading, context) };
  if (!reading) return { ...common, ...unreadReason(request, candidate) };
  if (reading.kind === 'unreadable') return { ...common, fate: 'unknown', reason: reading.reason, unreadable: true };
  if (request.method === 'GET') return { ...common, fate: 'noChange', notes: [skipNote(reading)] };
  if (reading.kind === 'absent') return { ...common, ...absent(request, candidate, reading.note) };
  return { ...common, ...await compared(request, candidate, reading.body, context) };
}

function unreadReason({ path }: PlannedRequest, { version }: Candidate): Pick<LiveChange, 'fate' | 'reason'> & { armId?: undefined } {
  const missing = placeholdersIn(path).map(describePlaceholder);
  if (missing.length > 0) {
    return { fate: 'unknown', armId: undefined, reason: `its id needs what does not exist yet: ${missing.join(', ')}` };
  }
  return { fate: 'unknown', reason: `Azure does not show ${version.kind.kind}: the controller sends it each sync period` };
}


type Removed = Pick<LiveChange, 'fate' | 'notes' | 'reason' | 'unreadable'>;

/** The planned change of the resource of an object that is deleted. */
function removed({ path }: PlannedRequest, { object, version }: Candidate, reading: Reading | undefined, { lookup }: LiveContext): Removed {
  const namespace = lookup.find('', 'Namespace', 'default', object.metadata.namespace ?? 'default');
  const { policy } = effectivePolicy(object, namespace, 'manage');
  if (!allowsDeletion(policy)) return { fate: 'noChange', notes: [`its object goes; reconcile-policy is ${policy}: the resource is kept`] };
  if (object.metadata.deletionTimestamp === undefined && object.metadata.annotations?.[REMOVAL_POLICY] === 'protect') {
    return { fate: 'noChange', notes: ['its object is protected (removal-policy): the cluster refuses to delete it'] };
  }
  if (!version.supports('DELETE')) return { fate: 'noChange', notes: ['its object goes; Azure has no deletion for this kind'] };
  if (reading?.kind === 'absent') return { fate: 'noChange', notes: ['its object goes; it is not in Azure'] };
  if (reading?.kind === 'unreadable') return { fate: 'unknown', notes: [], reason: reading.reason, unreadable: true };
  const missing = placeholdersIn(path).map(describePlaceholder);
  if (!reading && missing.length > 0) {
    return { fate: 'unknown', notes: [], reason: `its id needs what does not exist: ${missing.join(', ')}` };
  }
  return { fate: 'delete', notes: [] };
}

function skipNote({ kind }: Reading): string {
  return kind === 'absent' ? 'not in Azure; reconcile-policy is skip: nothing is created' : 'reconcile-policy is skip: only read';
}

function absent({ notes }: PlannedRequest, { object, version }: Candidate, note: string | undefined): Pick<LiveChange, 'fate' | 'notes'> {
  if (object.metadata.annotations?.[ADOPT] === 'IfPresent') {
    return { fate: 'noChange', notes: ['not in Azure; adopt is IfPresent: nothing is created, and Ready is False until it is there'] };
  }
  // Notes about what Azure has already say nothing of a resource that is yet to be made.
  const keeps = (version.facts.bodyChanges ?? []).some(({ how }) => how === 'keepExisting' || how === 'mergeByName');
  return { fate: 'create', notes: [...(note ? [note] : []), ...(keeps ? [] : notes)] };
}

type Compared = Pick<LiveChange, 'fate' | 'properties' | 'notes' | 'reason' | 'unreadable'>;

async function compared(
  { body, path }: PlannedRequest, { object, version }: Candidate, answer: Body, { client, lookup }: LiveContext,
): Promise<Compared> {
  const shape = bodyShape(version);
  let wanted: Body;
  try {
    wanted = await comparableBody(body as Body, { object, version, armId: path, client, lookup }, answer);
  } catch (error) {
    if (error instanceof KindError) return { fate: 'unknown', properties: [], notes: [], reason: error.message, unreadable: true };
    if (error instanceof ArmError) return { fate: 'unknown', properties: [], notes: [], reason: describeArmError(error), unreadable: true };
    throw error;
  }
  const ownChildren = (type: string) => ownChildrenOf(type, { object, armId: path }, lookup);
  const { properties: differing, explained } = differences(compare(wanted, answer, shape, { ownChildren }), shape, object);
  const limits = immutableChanges(version, answer, wanted, 'body');
  const properties = differing.map((property) => withRefusal(property, limits));
  const state = resourceState(version.facts.arm?.type, answer, Date.now());
  const notes = [...refusalNotes(version, properties), ...notesOf(object, body, state, explained)];
  const differs = state.repair === 'put' || properties.some(({ unknown }) => unknown === undefined);
  if (differs) return { fate: 'update', properties, notes };
  if (properties.length === 0) return { fate: 'noChange', properties, notes };
  return { fate: 'unknown', properties, notes, reason: 'values that it takes do not exist yet' };
}

/** The differences that a plan shows, and the number of those of Azure's own making that the last reconcile has recorded. */
function differences(
  found: readonly Difference[], shape: Shape, object: KubernetesObject,
): { readonly properties: PropertyDifference[]; readonly explained: number } {
  const known = lastAppliedOf(object)?.known ?? {};
  let explained = 0;
  const properties = found.flatMap((difference): PropertyDifference[] => {
    const [drift] = driftOf([difference], { salt: object.metadata.uid ?? '', secrets: [], versions: '' });
    if (drift && isMarkOf(known[difference.path], drift)) {
      explained += 1;
      return [];
    }
    const { path: at, wanted: own } = difference;
    const placeholders = typeof own === 'string' ? placeholdersIn(own) : [];
    // Azure does not give secrets back, so a comparison is not possible.
    if (placeholders.some(isSecretPlaceholder)) return [];
    const place = { path: at, ...(difference.named === undefined ? {} : { named: difference.named }) };
    if (placeholders.length > 0) return [{ ...place, unknown: placeholders.map(describePlaceholder).join(', ') }];
    return [{ ...place, ...extraOf(difference), ...printableValues(difference, shape) }];
  });
  return { properties, explained };
}

/** With what Azure refuses of the change. Only what differs counts: the comparison knows what is the same in another spelling. */
function withRefusal(property: PropertyDifference, limits: readonly ImmutableChange[]): PropertyDifference {
  if (property.unknown !== undefined) return property;
  const found = limits.find(({ pointer }) => isAt(property.path, pointer));
  if (!found) return property;
  const { code, when } = found;
  return { ...property, refusal: { code, ...(when === undefined ? {} : { when }) } };
}

/** Whether one of two pointers leads into the other. In the pointer of a fact, `-` stands for each element of a list. */
function isAt(path: string, pointer: string): boolean {
  const [steps, facts] = [path.split('/'), pointer.split('/')];
  const common = Math.min(steps.length, facts.length);
  return facts.slice(0, common).every((step, index) => step === '-' || step === steps[index] || (steps[index] ?? '').startsWith(`${step}[`));
}

/** Of a difference that only Azure has: that a request takes it away. */
function extraOf({ wanted, actual }: Difference): Pick<PropertyDifference, 'onlyInAzure'> {
  if (wanted !== undefined) return {};
  return { onlyInAzure: Array.isArray(actual) ? actual.length : 1 };
}

/** A note for each property that Azure refuses to change. */
function refusalNotes(version: KindVersion, properties: readonly PropertyDifference[]): string[] {
  const { group, kind } = version.kind;
  const data = DATA_BEARING_KINDS.has(`${group}/${kind}`) ? ', with its data,' : '';
  return properties.flatMap(({ path, refusal }) => {
    if (!refusal) return [];
    const { code, when } = refusal;
    return [`Azure refuses this change${when === undefined ? '' : ` ${when}`}: ${path} (${code}); keep the value, or delete the resource${data} and create it anew`];
  });
}

function notesOf(object: KubernetesObject, body: unknown, state: ResourceState, explained: number): string[] {
  return [
    ...(explained > 0
      ? [`${counted(explained, 'known difference')} of Azure's own making ${plural(explained, 'is', 'are')} left as it is`]
      : []),
    ...(state.outcome === 'failed' ? [failureNote(state)] : []),
    ...(state.outcome === 'running' ? [`an operation runs (${state.word}): the controller waits for its end first`] : []),
    ...state.warnings.map((warning) => `Azure warns: ${warning}`),
    ...(object.metadata.annotations?.[ADOPT] === 'Never'
      ? ['adopt is Never: unless this object has created it, it is left alone and Ready is False']
      : []),
    ...(placeholdersIn(body).some(isSecretPlaceholder) ? ['secrets are not compared: Azure does not give them back'] : []),
  ];
}

function failureNote({ word, meaning, error, repair }: ResourceState): string {
  const why = [meaning, error && describeResourceError(error)].filter((text) => text !== undefined).join('; ');
  const next = repair === 'put' ? 'it is sent again' : repair === 'delete' ? 'Azure takes no update of it, only its deletion: Ready is False' : 'sending it again would not bring it back: Ready is False';
  return `its state is ${word}${why === '' ? '' : ` (${why})`}: ${next}`;
}
