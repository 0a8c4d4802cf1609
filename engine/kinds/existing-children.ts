import { valueAt } from './arm-json';
import { KindError } from './types';
import type { BodyChange } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/**
 * Children that a PUT would remove are merged into it (docs/spec/extensions.md#kept-children). Azure shows the list of them even where it
 * is empty: the recorded answers of networks, route tables, security groups and load balancers all have it. An answer without it says
 * nothing about the children, so nothing is sent.
 *
 * A scale set without extensions has no extension profile; and one with flexible orchestration may have no profile of machines at all.
 * @throws KindError
 */
export function expectChildren(existing: unknown, { arm, how }: BodyChange): void {
  const children = valueAt(existing, arm);
  if (children === undefined && mayBeAbsent(existing, arm)) return;
  const isWhole = Array.isArray(children) && children.every((child) => isRecord(child) && (how !== 'mergeByName' || typeof child.name === 'string'));
  if (isWhole) return;
  throw new KindError(
    `Azure's answer has no whole list "${arm}", which this request would replace: nothing is sent, so that no child is lost, and Azure is asked again later`,
  );
}

function mayBeAbsent(existing: unknown, arm: string): boolean {
  const [parent, ...rest] = arm.split('/').slice(1);
  if (rest.length === 0) return false;
  const properties = valueAt(existing, 'properties');
  if (!isRecord(properties)) return false;
  if (!isRecord(properties[parent])) return properties[parent] === undefined && properties.orchestrationMode === 'Flexible';
  const between = rest.slice(0, -1).reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : inner), properties[parent]);
  return between === undefined || isRecord(between);
}
