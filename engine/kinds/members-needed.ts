import type { KindVersion } from '../../src/catalog';
import { textBefore } from '../../src/util/text-before';
import { PROPERTIES, type NeededMember } from '../arm/arm-reader';

const known = new WeakMap<KindVersion, readonly NeededMember[]>();

/** The members that an answer must have to describe a resource of a kind: `properties`, if its status contains any of them. */
export function membersNeeded(version: KindVersion): readonly NeededMember[] {
  let needed = known.get(version);
  if (!needed) {
    const props = version.facts.status === undefined ? {} : version.statusType.props;
    const showsProperties = Object.entries(props).some(([name, { arm }]) => textBefore(arm ?? name, '/').toLowerCase() === 'properties');
    known.set(version, (needed = showsProperties ? [PROPERTIES] : []));
  }
  return needed;
}
