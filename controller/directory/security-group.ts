import { about, Groups, type Group } from './graph';
import { changesOf, newGroup, statusOf } from './group-body';
import { ArmError } from '../../engine/arm/types';
import { KindError } from '../../engine/kinds';
import { ExternalFailure, type ExternalContext, type ExternalKind, type ExternalState } from '../../engine/kinds/external';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { REQUESTED_AT, RESOURCE_ID } from '../../src/azure/annotations';
import { member } from '../../src/util/records';
import { asText } from '../../src/util/words';


/** The directory's replicas need some time, and its clock is not ours. */
const REPLICATION = 5 * 60_000;
const CLOCK_SKEW = 2 * 60_000;

type Members = Readonly<Record<string, unknown>>;

/** Groups of Entra, through Microsoft Graph (docs/spec/groups.md#reconciliation). The id of a group is in the annotation `resource-id`. */
export const securityGroup: ExternalKind = {
  // The schema that comes with Azure Service Operator takes no status without it.
  initialStatus: { groupEmailAddress: '' },
  intent,
  ensure,
  observe,
  remove,
};

function intent(object: KubernetesObject, now: number): Record<string, string> {
  if (idOf(object) || object.metadata.annotations?.[REQUESTED_AT]) return {};
  return { [REQUESTED_AT]: new Date(now).toISOString() };
}

async function ensure(context: ExternalContext): Promise<ExternalState> {
  const groups = groupsOf(context);
  const id = idOf(context.object);
  if (id) return update(groups, context, await groups.get(id), id);
  const spec = specOf(context);
  const found = await existing(groups, context, spec);
  if (found) return { ...await update(groups, context, found, found.id), annotations: { [RESOURCE_ID]: found.id } };
  if (context.mayBeCreated) return undecided(context);
  const created = await groups.create(newGroup(spec)).catch((error: unknown) => {
    // Refused: nothing was created, so the next try begins anew.
    throw isRefused(error) ? new ExternalFailure(error, { [REQUESTED_AT]: undefined }) : error;
  });
  return { status: statusOf(created, context.object.status), annotations: { [RESOURCE_ID]: created.id } };
}

/** The answer to a creation was lost, and the directory does not show the group; it may still appear. */
function undecided({ object, now, timeScale }: ExternalContext): ExternalState {
  const left = requestedAt(object) + REPLICATION / timeScale - now;
  if (left > 0) {
    throw new KindError(
      `the answer to the creation of this group was lost, and the directory may show it only after some minutes: it is looked for until ${new Date(now + left).toISOString()} before it is created again`,
      'Warning', 'Failed', 'fast',
    );
  }
  return { status: {}, annotations: { [REQUESTED_AT]: undefined }, isGone: true };
}

/** Whether Graph has refused the request. */
function isRefused(error: unknown): boolean {
  return error instanceof ArmError && error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 408;
}

function requestedAt({ metadata }: KubernetesObject): number {
  return Date.parse(metadata.annotations?.[REQUESTED_AT] ?? '');
}

/** The group to take over: found by its name, or created by this object before its ID was stored. */
async function existing(groups: Groups, { object }: ExternalContext, spec: Members): Promise<Group | undefined> {
  const { displayName, mailNickname } = spec;
  if (typeof displayName !== 'string' || displayName === '') {
    throw new KindError('spec.displayName is not set: a group needs a name', 'Error');
  }
  const named = await groups.named(displayName);
  if (!alwaysCreates(spec)) {
    if (named.length <= 1) return named[0];
    throw new KindError(
      `${named.length} groups have the displayName "${displayName}" (${named.map(({ id }) => id).join(', ')}): write the id of the one that is meant into annotation ${RESOURCE_ID}, or choose another name`,
    );
  }
  const since = requestedAt(object) - CLOCK_SKEW;
  return named.find((group) => group.mailNickname === mailNickname && Date.parse(asText(group.createdDateTime)) >= since);
}

async function update(groups: Groups, context: ExternalContext, group: Group | undefined, id: string): Promise<ExternalState> {
  if (!group) return gone(context, id);
  const changes = changesOf(specOf(context), group);
  if (Object.keys(changes).length > 0) await groups.update(id, changes);
  return { status: statusOf({ ...group, ...changes }, context.object.status) };
}

/** The group was deleted, unless it is so new that not all replicas of the directory have it. */
function gone({ object, now, timeScale }: ExternalContext, id: string): ExternalState {
  if (now - requestedAt(object) < REPLICATION / timeScale) {
    throw new KindError(`group ${id} is not to be seen in the directory yet, which may take some minutes after its creation`);
  }
  return { status: {}, annotations: { [RESOURCE_ID]: undefined, [REQUESTED_AT]: undefined }, isGone: true };
}

async function observe(context: ExternalContext): ReturnType<ExternalKind['observe']> {
  const id = idOf(context.object);
  const { conditions: _, ...status } = context.object.status ?? {};
  if (!id) return { found: true, state: { status } };
  const group = await groupsOf(context).get(id);
  if (group) return { found: true, state: { status: statusOf(group, context.object.status) } };
  return {
    found: false,
    message: `group ${id} does not exist in the directory, and the reconcile policy keeps this controller from creating it`,
  };
}

async function remove(context: ExternalContext): Promise<void> {
  const { object } = context;
  const id = idOf(object) ?? (await unrecorded(context));
  if (!id) return;
  try {
    await groupsOf(context).delete(id);
  } catch (error) {
    throw about(`failed to delete group "${asText(specOf(context).displayName)}" (${id})`, error);
  }
}

/** A group whose creation was requested and whose ID was never stored: surely this object's own only if the object creates its groups. */
async function unrecorded(context: ExternalContext): Promise<string | undefined> {
  const spec = specOf(context);
  if (!context.object.metadata.annotations?.[REQUESTED_AT] || !alwaysCreates(spec)) return undefined;
  const found = await existing(groupsOf(context), context, spec);
  if (found) return found.id;
  const until = requestedAt(context.object) + REPLICATION / context.timeScale;
  if (until <= context.now) return undefined;
  throw new KindError(`the group may have been created, and the directory may show it only after some minutes: it is looked for until ${new Date(until).toISOString()}`, 'Warning', 'Failed', 'fast');
}

function groupsOf({ credential, signal }: ExternalContext): Groups {
  const { graph } = credential();
  if (!graph) throw new KindError('the credential of this object gives no access to Microsoft Graph');
  return new Groups(graph(), signal);
}

function specOf({ object }: ExternalContext): Members {
  return object.spec ?? {};
}

function idOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.annotations?.[RESOURCE_ID] || undefined;
}

function alwaysCreates({ operatorSpec }: Members): boolean {
  return member(operatorSpec, 'creationMode') === 'AlwaysCreate';
}
