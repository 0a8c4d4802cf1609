import { IConstruct } from 'constructs';

const MADE_BY_PLATFORM = Symbol.for('cdk8s-aso.MadeByPlatform');
const BUNDLE = Symbol.for('cdk8s-aso.PlatformBundle');

/** Marks what a platform's own bundle makes for a team: the team's limits are not for it. */
export function markAsPlatformMade(construct: IConstruct): void {
  Object.defineProperty(construct, MADE_BY_PLATFORM, { value: true, configurable: true });
}

export function isPlatformMade(construct: IConstruct): boolean {
  return MADE_BY_PLATFORM in construct;
}

/** Marks a bundle of this library that the team uses: what it writes into the platform's namespace is the platform's, the rest the team's. */
export function markAsBundle(construct: IConstruct): void {
  Object.defineProperty(construct, BUNDLE, { value: true, configurable: true });
}

export function isBundle(construct: IConstruct): boolean {
  return BUNDLE in construct;
}
