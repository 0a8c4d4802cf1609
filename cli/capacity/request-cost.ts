import { secretCallsNeeded } from '../../engine/export/secret-values';
import { putShowsResource } from '../../engine/kinds';
import { usualOperationMs } from '../../engine/kinds/operation-times';
import { stateReadsOf } from '../../engine/kinds/state-gates';
import { pollDelayMs, timedPollDelayMs } from '../../engine/schedule';
import { behaviourOf } from '../../sandbox/azure/model/behaviour';
import { ADOPT, IGNORE_CHANGES } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';

/** Requests to Azure Resource Manager, by the limit that they count against. */
export interface Requests {
  /** GET and HEAD. */
  readonly reads: number;
  /** PUT and POST. */
  readonly writes: number;
}

/** The requests of one object. */
export interface RequestCost {
  /** From the first request until Ready. */
  readonly create: Requests;
  /** One sync that reads the resource by itself and finds nothing to change. */
  readonly sync: Requests;
  /** Whether a row of batch drift detection is enough for a sync (`drift-detection.ts`). */
  readonly canBeBatched: boolean;
  /** After a restart of the controller, until the status is confirmed. */
  readonly restart: Requests;
  /** One sync of Azure Service Operator; a restart costs the same. */
  readonly aso: Requests;
  /** PUTs of the whole resource in one sync of Azure Service Operator. */
  readonly asoPuts: number;
}

/** The parts of an object that its requests depend on. */
export interface CostedObject {
  readonly version: KindVersion;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Whether the reconcile policy is `skip`. */
  readonly isOnlyRead: boolean;
  /** Whether a resource group is made with it: then nothing is read that cannot be there yet. Default: false. */
  readonly isBelowNewGroup?: boolean;
}

export const NOTHING: Requests = { reads: 0, writes: 0 };

const READ: Requests = { reads: 1, writes: 0 };
const PUT: Requests = { reads: 0, writes: 1 };

/**
 * The requests of an object whose kind Azure Resource Manager serves.
 * @throws ExportError when a secret expression does not compile
 */
export function requestCostOf(object: CostedObject): RequestCost {
  const { version, isOnlyRead } = object;
  const exports = exportCallsOf(object);
  const look = plus(READ, exports);
  const canBeBatched = version.supports('GET') && exports.reads + exports.writes === 0;
  if (isOnlyRead) return { create: look, sync: look, canBeBatched, restart: look, aso: look, asoPuts: 0 };
  const readsAfterwards = plus(reads(pollsOf(version.facts.arm!.type) + readsAfterPut(object)), exports);
  const ownReads = stateReadsOf(version.kind.group, version.kind.kind, 'own') + (keepsChildren(object) ? 1 : 0);
  const checks = reads(stateReadsOf(version.kind.group, version.kind.kind) + (readsBeforePut(object) ? 1 : 0));
  const isKnownAbsent = object.isBelowNewGroup === true && !ignoresChanges(object) && !looksFirst(object);
  const send = plus(checks, PUT, readsAfterwards);
  // A resource that Azure does not return cannot be compared, so a sync sends it again.
  const sync = version.supports('GET') ? look : send;
  return {
    create: plus(reads((looksFirst(object) ? 1 : 0) - (isKnownAbsent ? ownReads : 0)), send),
    sync,
    canBeBatched,
    restart: look,
    aso: plus(checks, PUT, look),
    asoPuts: 1,
  };
}

export function plus(...all: readonly Requests[]): Requests {
  return all.reduce((sum, { reads: more, writes }) => ({ reads: sum.reads + more, writes: sum.writes + writes }), NOTHING);
}

/** Number of polls of an operation: from its usual end on, and not before the time that Azure asks for (`Retry-After`). */
export function pollsOf(armType: string): number {
  const { operation, seconds = 0, retryAfter = 0 } = behaviourOf(armType, 'PUT');
  if (operation === undefined) return 0;
  const usualMs = usualOperationMs(armType, 'PUT');
  let polls = 0;
  for (let elapsedMs = 0; polls === 0 || elapsedMs < seconds * 1000; polls++) {
    const delayMs = usualMs === undefined ? pollDelayMs(polls) : timedPollDelayMs({ usualMs, elapsedMs });
    elapsedMs += Math.max(delayMs, retryAfter * 1000);
  }
  return polls;
}

/**
 * Number of reads after the end of a PUT. The last poll of an operation shows the resource too: it is the resource, or the `Location`, or
 * the resource that is read instead of an operation whose usual length is known.
 */
function readsAfterPut({ version, spec }: CostedObject): number {
  const armType = version.facts.arm!.type;
  const { operation } = behaviourOf(armType, 'PUT');
  if (operation === undefined) return version.supports('GET') && putShowsResource(version, spec) ? 0 : 1;
  return version.supports('GET') && (operation !== 'azure-asyncoperation' || usualOperationMs(armType, 'PUT') !== undefined) ? 0 : 1;
}

/** Each sync fetches the secrets again. */
function exportCallsOf({ version, spec }: CostedObject): Requests {
  const calls = version.kind.facts.secretSources?.calls ?? {};
  return plus(...secretCallsNeeded(version, spec).map((name) => (calls[name]?.method === 'GET' ? READ : { reads: 0, writes: 1 })));
}

/** Whether the controller reads the resource before a PUT to keep what others have set. */
function readsBeforePut(object: CostedObject): boolean {
  return ignoresChanges(object) || keepsChildren(object);
}

function ignoresChanges({ annotations }: CostedObject): boolean {
  return Boolean(annotations[IGNORE_CHANGES]);
}

function keepsChildren({ version }: CostedObject): boolean {
  return (version.facts.bodyChanges ?? []).some(({ how }) => how === 'keepExisting' || how === 'mergeByName');
}

function looksFirst({ annotations }: CostedObject): boolean {
  return annotations[ADOPT] === 'IfPresent' || annotations[ADOPT] === 'Never';
}

function reads(count: number): Requests {
  return { reads: count, writes: 0 };
}
