import { POSTGRESQL_READY } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const flexibleServer: KindBehaviour = {
  evidence: [
    'v2/api/dbforpostgresql/customizations/flexible_server_extensions.go',
    'https://github.com/hashicorp/terraform-provider-azurerm/pull/18159',
    'https://github.com/hashicorp/terraform-provider-azurerm/pull/27355',
    'https://github.com/hashicorp/terraform-provider-azurerm/pull/29071',
    'https://github.com/Azure/azure-postgresql/issues/134',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/19953',
  ],
  stateGates: [{ of: 'own', ...POSTGRESQL_READY }],
  serialWrites: {
    // ServerIsBusy or ServerBusy: for configurations, databases and firewall rules (the service team, 18159), among configurations (27355),
    // for virtual endpoints (29071), after the server itself (134). Firewall rules do not disturb each other (19953).
    parent: 'Microsoft.DBforPostgreSQL/flexibleServers',
    alone: ['configurations', 'databases', 'virtualendpoints'],
    together: ['firewallRules'],
    itself: true,
  },
};
