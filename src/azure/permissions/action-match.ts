/**
 * The control-plane permissions of a role: `actions` without `notActions`. Both may contain wildcards.
 * @see https://learn.microsoft.com/azure/role-based-access-control/role-definitions#actions
 */
export interface Permission {
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
}

/**
 * Whether a pattern of a role definition covers an action: `*` matches any text, also several segments; case-insensitive.
 *
 * A segment that is only a wildcard may be empty: Managed Identity Operator has `userAssignedIdentities`, a wildcard and `assign/action`,
 * and allows `…/userAssignedIdentities/assign/action`, which Azure requires.
 */
export function matchesAction(pattern: string, action: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  return known(action.toLowerCase());
}

/** Whether one of several permissions allows an action: an action that one excludes, another may still allow. */
export function allows(permissions: readonly Permission[], action: string): boolean {
  return permissions.some(({ actions, notActions = [] }) =>
    actions.some((pattern) => matchesAction(pattern, action)) && !notActions.some((pattern) => matchesAction(pattern, action)));
}

type Matcher = (lowerCase: string) => boolean;

const compiled = new Map<string, Matcher>();

function compile(pattern: string): Matcher {
  const parts = pattern.trim().toLowerCase().split('*');
  const whole = (text: string) => matchesParts(parts, text);
  // Without segments that are only a wildcard.
  const without = pattern.trim().toLowerCase().includes('/*/')
    ? pattern
      .trim()
      .toLowerCase()
      .replace(/\/(\*\/)+/g, '/')
      .split('*')
    : undefined;
  const matcher: Matcher = (text) => whole(text) || (without !== undefined && matchesParts(without, text));
  compiled.set(pattern, matcher);
  return matcher;
}

/** Whether the parts occur in this order, the first at the beginning and the last at the end; in linear time, whatever the pattern. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return at <= end;
}
