import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

/** Writes are serialized by the network watcher: `network-watcher.ts`. */
export const networkWatchersFlowLog: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/network_watchers_flow_log_extensions.go',
  ],
  errors: [{ codes: ['NetworkSecurityGroupNotFoundForFlowLog', 'StorageProvisioningStateNotSucceeded'], become: RETRYABLE }],
};
