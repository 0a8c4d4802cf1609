import { armClientOf, kindContextOf, type ActionContext } from './action-context';
import { rethrowAbort } from './action-errors';
import { readExistence, readResource } from '../../../engine/arm/arm-reader';
import { bodyShape, compare, driftOf, type MarkSecrecy } from '../../../engine/compare';
import { fromArm } from '../../../engine/convert/from-arm';
import { comparableBody, membersNeeded } from '../../../engine/kinds';
import { valueAt } from '../../../engine/kinds/arm-json';
import { resourceState } from '../../../engine/kinds/resource-state';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import { ownChildrenOf } from '../../../engine/resolve';
import type { KindVersion } from '../../../src/catalog';
import type { Struct } from '../../../src/util/records';
import type { Existing, Observed, ReadPurpose } from '../core/observed';
import { importedSecrets } from '../imported-secrets';
import { resolveDesired } from '../resolve-desired';

/** The body of a request. Holds secrets. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Members in which resources show their creation time. */
const CREATION_TIMES = ['systemData/createdAt', 'properties/creationTime', 'properties/createdAt', 'properties/createdOn'];

/**
 * Reads the resource; undefined: there is none.
 * @param body body of the PUT, where this reconcile has resolved it
 */
export async function readExisting(
  context: ActionContext, { armId, purpose }: { readonly armId: string; readonly purpose: ReadPurpose },
  observed: Observed, body: RequestBody | undefined,
): Promise<Existing | undefined> {
  const { version, signal, now } = context;
  const request = { method: version.supports('GET') ? 'GET' : 'HEAD', url: armId, apiVersion: version.facts.arm!.apiVersion } as const;
  const response = await armClientOf(context).send(request, signal);
  if (request.method === 'HEAD') {
    const state = { outcome: 'succeeded', warnings: [] } as const;
    return readExistence(request, response, now()) ? { status: fromArm(version, undefined), state } : undefined;
  }
  const answer = readResource(request, response, { needs: membersNeededFor(version, body), now: now() });
  return answer && existingOf(context, answer, purpose, observed, body);
}

/**
 * The members without which an answer is not the whole resource: a status from half an answer would be empty, and the object Ready. If no
 * properties were sent, the answer may have none.
 */
export function membersNeededFor(version: KindVersion, body: RequestBody | undefined): ReturnType<typeof membersNeeded> {
  return isEmpty(body?.properties) ? [] : membersNeeded(version);
}

/** The resource as decisions need it, from an answer that has all of it. */
export async function existingOf(
  context: ActionContext, answer: Struct, purpose: ReadPurpose, observed: Observed, body: RequestBody | undefined,
): Promise<Existing> {
  const createdAt = CREATION_TIMES.map((path) => valueAt(answer, path)).find((time) => typeof time === 'string');
  return {
    status: fromArm(context.version, answer),
    state: resourceState(context.version.facts.arm?.type, answer, context.now()),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
    ...(purpose !== 'delete' ? { comparison: await comparisonOf(context, answer, observed, body) } : {}),
  };
}

/** How the resource differs from the spec; undefined where it cannot be compared: the error is reported when the PUT is sent. */
export async function comparisonOf(
  context: ActionContext, answer: unknown, observed: Observed, resolved: RequestBody | undefined,
): Promise<Existing['comparison']> {
  const { version, lookup, signal } = context;
  if (!allowsModification(observed.policy)) return undefined;
  try {
    const { desired, body } = resolved && observed.desired
      ? { desired: observed.desired, body: resolved }
      : resolveDesired(observed.object, version, lookup, armClientOf(context).subscriptionId);
    const wanted = await comparableBody(body, kindContextOf(context, observed), answer);
    const parent = { object: observed.object, armId: desired.armId };
    const ownChildren = (type: string) => ownChildrenOf(type, parent, lookup);
    const differences = compare(wanted, answer, bodyShape(version), { ownChildren });
    const drift = driftOf(differences, secrecyOf(context, observed, desired.hidden));
    return { digest: desired.digest, drift };
  } catch (error) {
    rethrowAbort(error, signal);
    return undefined;
  }
}

function secrecyOf({ version, lookup }: ActionContext, { object }: Observed, versions: string): MarkSecrecy {
  return { salt: object.metadata.uid ?? '', secrets: importedSecrets(object, version, lookup), versions };
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
