import { suggestion } from '../../util/nearest';
import { formatValue } from '../schema/conversion';

/** The message for a value that is no member of an enum (JavaScript does not check), with the valid members; undefined for a member. */
export function notOneOf(value: unknown, members: Record<string, string>): string | undefined {
  const allowed = Object.values(members);
  if (allowed.includes(value as string)) return undefined;
  return `${formatValue(value)} is not a policy.${suggestion(String(value), allowed)} Allowed: ${allowed.join(', ')}.`;
}
