import { behaviourOf } from './all-kinds';
import { getResource } from './arm-json';
import { keepIgnored } from './ignored-changes';
import type { BodyChanger } from './kind-behaviour';
import { membersNeeded } from './members-needed';
import type { Body, KindContext } from './types';
import type { BodyChange, KindVersion } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** The body to send, and the `etag` of the resource whose values and children are part of it. */
export interface ChangedBody {
  readonly body: Body;
  readonly etag?: string;
}

/**
 * The converted body with values that others may change, and with the changes that the catalog lists for the kind (`bodyChanges`), right
 * before it is sent. If it contains values of the resource, the PUT is conditional on the version that was read.
 */
export async function bodyToSend(body: Body, context: KindContext): Promise<ChangedBody> {
  let reading: Promise<unknown> | undefined;
  const existing = () => (reading ??= read(context));
  let changed = await keepIgnored(body, context, existing);
  for (const change of context.version.facts.bodyChanges ?? []) {
    changed = await changerOf(change, context.version).change(changed, change, context, context.isNew ? nothing : existing);
  }
  const etag = reading && etagOf(await reading, context);
  return { body: changed, ...(etag ? { etag } : {}) };
}

/** A new resource has no children that somebody else has made. */
function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

/** Like `bodyToSend`, without the etag. */
export async function changeBody(body: Body, context: KindContext): Promise<Body> {
  return (await bodyToSend(body, context)).body;
}

/**
 * Azure refuses a PUT whose `If-Match` differs from the resource's `etag` (412 PreconditionFailed), as observed for all of
 * Microsoft.Network (https://github.com/hashicorp/terraform-provider-azurerm/issues/13886,
 * https://github.com/kubernetes-sigs/cloud-provider-azure/issues/9729). Other kinds declare it themselves (`takesIfMatch`).
 */
const NETWORK_TYPE = /^microsoft\.network\//i;

function takesIfMatch(version: KindVersion): boolean {
  return behaviourOf(version.kind.group, version.kind.kind).takesIfMatch ?? NETWORK_TYPE.test(version.facts.arm?.type ?? '');
}

function etagOf(existing: unknown, { version }: KindContext): string | undefined {
  const etag = isRecord(existing) ? existing.etag : undefined;
  const isEtag = typeof etag === 'string' && /^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag);
  return isEtag && takesIfMatch(version) ? etag : undefined;
}

/**
 * The body that Azure is expected to return: values that others may change and values that are kept come from the answer itself.
 * Instructions that Azure does not store (whether a vault is recovered) are left out.
 */
export async function comparableBody(body: Body, context: KindContext, answer: unknown): Promise<Body> {
  const existing = async () => answer;
  let changed = await keepIgnored(body, context, existing);
  for (const change of context.version.facts.bodyChanges ?? []) {
    const { change: apply, expected } = changerOf(change, context.version);
    changed = expected ? expected(changed, change) : await apply(changed, change, context, existing);
  }
  return changed;
}

function changerOf({ how, arm }: BodyChange, { kind: { group, kind } }: KindVersion): BodyChanger {
  const { bodyChange } = behaviourOf(group, kind);
  if (bodyChange?.how === how) return bodyChange;
  throw new Error(`the catalog has the change "${how}" of ${arm} for ${group}/${kind}, and engine/kinds/behaviour has none`);
}

/** Reads the resource, whose values decide what is kept: it exists with its properties, or Azure reports that it does not exist. */
function read({ client, armId, version, signal }: KindContext): Promise<unknown> {
  return getResource(client, armId, version.facts.arm!.apiVersion, { needs: membersNeeded(version) }, signal);
}
