import type { Attack } from '../attack';

/** Names and ids that point elsewhere. */
export const namesAndIds: readonly Attack[] = [];
