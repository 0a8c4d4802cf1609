import { textMember } from './json';
import { armTypeOf, parseArmId } from '../../src/azure/arm-id';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import type { Struct } from '../../src/util/records';

/**
 * Types for which Azure returns an id in another scope than the requested one, as recorded. A custom role is listed in a resource group but
 * belongs to the subscription; the id of an action group spells the subscription differently.
 */
const SCOPE_DIFFERS = new Set(['microsoft.authorization/roledefinitions', 'microsoft.insights/actiongroups']);

/** Undefined when the body is the requested resource; otherwise a description of the body. */
export function isResourceAskedFor(asked: string, body: Struct): string | undefined {
  const { id } = body;
  if (typeof id !== 'string' || id.trim() === '') return isNamed(asked, body) ? undefined : 'it does not say which resource it is of';
  return isSame(asked, id) ? undefined : `it is of "${id.slice(0, 300)}"`;
}

/** Whether name and type match: some answers have no id. */
function isNamed(asked: string, body: Struct): boolean {
  const name = textMember(body, 'name')?.toLowerCase();
  const type = textMember(body, 'type')?.toLowerCase();
  const parts = parseArmId(asked);
  const names = (parts?.provider ? parts.names : [parts?.resourceGroup ?? '']).map((text) => text.toLowerCase());
  // Some providers return the names of all levels.
  return (
    name !== undefined
    && name !== ''
    && (name === names.at(-1) || name === names.join('/'))
    && (type === undefined || type === armTypeOf(asked)?.toLowerCase())
  );
}

function isSame(asked: string, answered: string): boolean {
  const [a, b] = [plain(asked), plain(answered)];
  if (a === b) return true;
  const type = armTypeOf(a);
  if (type === undefined || !SCOPE_DIFFERS.has(type)) return false;
  return a.slice(a.lastIndexOf('/providers/')) === b.slice(b.lastIndexOf('/providers/')) && groupsFit(a, b);
}

/** An answer without a resource group is in the subscription. */
function groupsFit(asked: string, answered: string): boolean {
  const group = parseArmId(answered)?.resourceGroup;
  return group === undefined || group === parseArmId(asked)?.resourceGroup;
}

function plain(id: string): string {
  let text = id.trim();
  try {
    text = decodeURIComponent(text);
  } catch {
    // Invalid encoding: the text is compared undecoded.
  }
  return withoutTrailingSlashes(text.toLowerCase());
}
