import { IConstruct } from 'constructs';

const MADE_BY_PLATFORM = Symbol.for('cdk8s-aso.MadeByPlatform');

/** Marks what a platform's own bundle makes for a team: the team's limits are not for it. */
export function markAsPlatformMade(construct: IConstruct): void {
  Object.defineProperty(construct, MADE_BY_PLATFORM, { value: true, configurable: true });
}

export function isPlatformMade(construct: IConstruct): boolean {
  return MADE_BY_PLATFORM in construct;
}
