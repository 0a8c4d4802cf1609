import type { Attack } from '../attack';

/** What a team tries against its guard rails. */
export const guardRails: readonly Attack[] = [];
