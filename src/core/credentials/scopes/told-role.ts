import type { Permission } from '../../../azure/permissions/action-match';

/** A role whose actions somebody has told. */
export interface ToldRole {
  /** The UUID of its definition, or its ARM id. */
  readonly id: string;
  readonly name?: string;
  readonly permissions: readonly Permission[];
}
