import { FATAL, PROVISIONING_STATE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const databaseAccount: KindBehaviour = {
  evidence: [
    'v2/api/documentdb/customizations/database_account_extensions.go',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/15842',
  ],
  stateGates: [{ of: 'own', path: PROVISIONING_STATE, block: ['deleting'] }],
  // Retries only lead to a less useful error.
  errors: [{ codes: ['ServiceUnavailable'], message: ['currently experiencing high demand'], become: FATAL }],
  serialWrites: {
    // 412 PreconditionFailed ("another user operation in progress which requires an exclusive lock on" the account).
    parent: 'Microsoft.DocumentDB/databaseAccounts',
    alone: ['sqlRoleAssignments'],
    itself: true,
  },
};
