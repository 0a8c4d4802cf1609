import { getResource, valueAt, withoutValueAt, withValueAt } from './arm-json';
import { builtInRoleId } from './built-in-roles';
import { createModeOf } from './deleted-vaults';
import { expectChildren } from './existing-children';
import { keepIgnored } from './ignored-changes';
import { membersNeeded } from './members-needed';
import type { Body, KindContext } from './types';
import { parseArmId } from '../../src/azure/arm-id';
import type { BodyChange, BodyShape } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** What is sent: the body, and the `etag` of the resource whose values and children went into it. */
export interface ChangedBody {
  readonly body: Body;
  readonly etag?: string;
}

/**
 * The converted body with what others may change, and with the changes that the catalog lists for the kind (`bodyChanges`), right before it is
 * sent. Where something of the resource went into it, the PUT is for what was read only.
 */
export async function bodyToSend(body: Body, context: KindContext): Promise<ChangedBody> {
  let reading: Promise<unknown> | undefined;
  const existing = () => (reading ??= read(context));
  let changed = await keepIgnored(body, context, existing);
  for (const change of context.version.facts.bodyChanges ?? []) changed = await applied(changed, change, context, existing);
  const etag = reading && etagOf(await reading, context);
  return { body: changed, ...(etag ? { etag } : {}) };
}

/** The same without the etag. */
export async function changeBody(body: Body, context: KindContext): Promise<Body> {
  return (await bodyToSend(body, context)).body;
}

/**
 * Types of which Azure was seen to refuse a PUT with another `If-Match` than the resource's `etag` (412 PreconditionFailed): all of
 * Microsoft.Network (https://github.com/hashicorp/terraform-provider-azurerm/issues/13886,
 * https://github.com/kubernetes-sigs/cloud-provider-azure/issues/9729) and scale sets, in versions that show an etag
 * (https://github.com/kubernetes-sigs/cloud-provider-azure/issues/9728).
 */
const TAKES_IF_MATCH = /^microsoft\.(network\/|compute\/virtualmachinescalesets$)/i;

function etagOf(existing: unknown, { version }: KindContext): string | undefined {
  const etag = isRecord(existing) ? existing.etag : undefined;
  const isEtag = typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag);
  return isEtag && TAKES_IF_MATCH.test(version.facts.arm?.type ?? '') ? etag : undefined;
}

/**
 * The body as Azure is expected to show it: with what others may change and what is kept taken from the answer itself. Instructions that Azure
 * does not keep (whether a vault is recovered) are left out.
 */
export async function comparableBody(body: Body, context: KindContext, answer: unknown): Promise<Body> {
  const existing = async () => answer;
  let changed = await keepIgnored(body, context, existing);
  for (const change of context.version.facts.bodyChanges ?? []) {
    changed = change.how === 'recoverOrCreate' ? withoutValueAt(changed, change.arm) : await applied(changed, change, context, existing);
  }
  return changed;
}

async function applied(body: Body, change: BodyChange, context: KindContext, existing: () => Promise<unknown>): Promise<Body> {
  switch (change.how) {
    case 'keepExisting':
    case 'mergeByName': {
      const current = await existing();
      if (current !== undefined) expectChildren(current, change);
      const merged = mergeExisting(valueAt(body, change.arm), valueAt(current, change.arm), change);
      return merged.length === 0 ? body : withValueAt(body, change.arm, merged);
    }
    case 'wellKnownRole': {
      const name = valueAt(body, change.arm);
      // An ARM id is not a name.
      if (typeof name !== 'string' || name.startsWith('/')) return body;
      const subscription = parseArmId(context.armId)?.subscriptionId ?? context.client.subscriptionId;
      return withValueAt(body, change.arm, await builtInRoleId(name, subscription, context.client, context.signal));
    }
    case 'recoverOrCreate': {
      const mode = valueAt(body, change.arm);
      return typeof mode === 'string' ? withValueAt(body, change.arm, await createModeOf(mode, body, context)) : body;
    }
  }
}

/** What the resource is like decides what is kept of it: it is there with its properties, or Azure says that there is none. */
function read({ client, armId, version, signal }: KindContext): Promise<unknown> {
  return getResource(client, armId, version.facts.arm!.apiVersion, { needs: membersNeeded(version) }, signal);
}

/** The children that the spec does not have, as Azure has them, after those that it has. */
export function mergeExisting(own: unknown, existing: unknown, { how, shape }: BodyChange): unknown[] {
  const kept = (Array.isArray(existing) ? existing : []).map((element) => shaped(element, shape ?? {}));
  if (how === 'keepExisting') return kept;
  const wanted: unknown[] = Array.isArray(own) ? own : [];
  const names = new Set(wanted.map((element) => (isRecord(element) ? element.name : undefined)));
  return [...wanted, ...kept.filter((element) => !(isRecord(element) && names.has(element.name)))];
}

/** Only what a request may have: read-only members, nulls and empty arrays fall away. */
export function shaped(value: unknown, shape: BodyShape | 1): unknown {
  if (shape === 1) return value;
  if (Array.isArray(value)) return value.map((element) => shaped(element, shape));
  if (!isRecord(value)) return value;
  const entries = Object.keys(shape).map((name) => [name, value[name] === undefined ? undefined : shaped(value[name], shape[name])] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null && !(Array.isArray(inner) && inner.length === 0)));
}
