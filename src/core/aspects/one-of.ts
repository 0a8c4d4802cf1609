import { suggestion } from '../../util/nearest';
import { shown } from '../schema/conversion';

/** What JavaScript may give instead of a member of an enum, with what there is; undefined where the value is a member. */
export function notOneOf(value: unknown, members: Record<string, string>): string | undefined {
  const allowed = Object.values(members);
  if (allowed.includes(value as string)) return undefined;
  return `${shown(value)} is not a policy.${suggestion(String(value), allowed)} Allowed: ${allowed.join(', ')}.`;
}
