/**
 * The ARM id of a role definition for assignments in any subscription: Azure replaces the all-zero subscription with that of the
 * assignment's scope.
 */
export function roleDefinitionArmId(id: string): string {
  return `/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/${id}`;
}
