import type { Permission } from '../../../azure/permissions/action-match';

/** A role with declared actions. */
export interface DeclaredRole {
  /** The UUID of the role definition, or its ARM id. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly permissions: readonly Permission[];
}
