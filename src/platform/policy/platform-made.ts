import { IConstruct } from 'constructs';

const MADE_BY_PLATFORM = Symbol.for('cdk8s-aso.MadeByPlatform');
const BUNDLE = Symbol.for('cdk8s-aso.PlatformBundle');

/** Marks a platform bundle for a team: the team's limits do not apply to its objects. */
export function markAsPlatformMade(construct: IConstruct): void {
  Object.defineProperty(construct, MADE_BY_PLATFORM, { value: true, configurable: true });
}

export function isPlatformMade(construct: IConstruct): boolean {
  return MADE_BY_PLATFORM in construct;
}

/**
 * Marks a bundle of this library that the team uses: its objects in the platform's namespace belong to the platform, the others to the
 * team.
 */
export function markAsBundle(construct: IConstruct): void {
  Object.defineProperty(construct, BUNDLE, { value: true, configurable: true });
}

export function isBundle(construct: IConstruct): boolean {
  return BUNDLE in construct;
}
