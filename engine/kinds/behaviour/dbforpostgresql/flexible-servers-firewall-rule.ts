import { POSTGRESQL_READY } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

/** Writes are serialized by the server: `flexible-server.ts`. */
export const flexibleServersFirewallRule: KindBehaviour = {
  evidence: [
    'v2/api/dbforpostgresql/customizations/flexible_servers_firewall_rule_extensions.go',
  ],
  stateGates: [{ of: 'owner', ...POSTGRESQL_READY }],
};
