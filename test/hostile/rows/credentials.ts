import type { Attack } from '../attack';

/** Credentials and exports. */
export const credentials: readonly Attack[] = [];
