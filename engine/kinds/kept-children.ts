import { valueAt, withValueAt } from './arm-json';
import type { BodyChanger } from './kind-behaviour';
import { KindError } from './types';
import type { BodyChange, BodyShape } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/**
 * Keeps children with objects of their own, which a PUT of their parent without them would remove: they are merged into the body
 * (docs/spec/extensions.md#kept-children).
 */
interface KeptChildrenOptions {
  /** Whether a resource without children may lack the list of them. Default: never. */
  readonly mayBeAbsent?: (existing: unknown) => boolean;
}

/** Sends the list in Azure, because the spec has none. */
export const keepExisting: BodyChanger = keepChildren('keepExisting');

/** Sends the spec's children, followed by those in Azure with other names. */
export function mergeByName(options: KeptChildrenOptions = {}): BodyChanger {
  return keepChildren('mergeByName', options);
}

function keepChildren(how: BodyChange['how'], { mayBeAbsent = () => false }: KeptChildrenOptions = {}): BodyChanger {
  return {
    how,
    change: async (body, change, _, existing) => {
      const current = await existing();
      if (current !== undefined) expectChildren(current, change, mayBeAbsent);
      const merged = mergeExisting(valueAt(body, change.arm), valueAt(current, change.arm), change);
      return merged.length === 0 ? body : withValueAt(body, change.arm, merged);
    },
  };
}

/**
 * Azure returns the list of children even when it is empty: the recorded answers of networks, route tables, security groups and load
 * balancers all have it. An answer without the list does not prove that there are no children, so nothing is sent.
 * @throws KindError
 */
function expectChildren(existing: unknown, { arm, how }: BodyChange, mayBeAbsent: (existing: unknown) => boolean): void {
  const children = valueAt(existing, arm);
  if (children === undefined && mayBeAbsent(existing)) return;
  const isWhole =
    Array.isArray(children) && children.every((child) => isRecord(child) && (how !== 'mergeByName' || typeof child.name === 'string'));
  if (isWhole) return;
  throw new KindError(
    `Azure's answer has no whole list "${arm}", which this request would replace: nothing is sent, so that no child is lost, and Azure is asked again later`,
  );
}

/** The spec's children, followed by the children in Azure that the spec does not have. */
export function mergeExisting(own: unknown, existing: unknown, { how, shape }: BodyChange): unknown[] {
  const kept = (Array.isArray(existing) ? existing : []).map((element) => shaped(element, shape ?? {}));
  if (how === 'keepExisting') return kept;
  const wanted: unknown[] = Array.isArray(own) ? own : [];
  const names = new Set(wanted.map((element) => (isRecord(element) ? element.name : undefined)));
  return [...wanted, ...kept.filter((element) => !(isRecord(element) && names.has(element.name)))];
}

/** The members of a value that a request may have: without read-only members, nulls and empty arrays. */
export function shaped(value: unknown, shape: BodyShape | 1): unknown {
  if (shape === 1) return value;
  if (Array.isArray(value)) return value.map((element) => shaped(element, shape));
  if (!isRecord(value)) return value;
  const entries = Object.entries(shape).map(
    ([name, below]) => [name, value[name] === undefined ? undefined : shaped(value[name], below)] as const,
  );
  return Object.fromEntries(
    entries.filter(([, inner]) => inner !== undefined && inner !== null && !(Array.isArray(inner) && inner.length === 0)),
  );
}
