import type { Attack } from '../attack';

/** Expressions, certificates and large objects. */
export const tenantsCode: readonly Attack[] = [];
