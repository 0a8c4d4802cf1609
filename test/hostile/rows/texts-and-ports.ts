import type { Attack } from '../attack';

/** Texts, probes and the webhook port. */
export const textsAndPorts: readonly Attack[] = [];
