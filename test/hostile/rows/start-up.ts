import type { Attack } from '../attack';

/** Lists that come late, in pieces or never. */
export const startUp: readonly Attack[] = [];
