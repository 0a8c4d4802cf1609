import type { Attack } from '../attack';

/** Drift, stuck operations and waits. */
export const driftAndWaits: readonly Attack[] = [];
