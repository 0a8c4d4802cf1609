import { BACKUP_POLLER_TOKEN } from '../../../../src/azure/annotations';
import { beginOperation } from '../../../arm/operation';
import { decodeToken, encodeToken, RESULT_TYPES } from '../../../arm/operation-token';
import { pollOperation } from '../../../arm/poll-operation';
import type { OperationState, OperationStep } from '../../../arm/types';
import { ownerOf } from '../../../resolve/owner';
import { valueAt } from '../../arm-json';
import type { KindBehaviour } from '../../kind-behaviour';
import type { Body, KindContext, PostCheck } from '../../types';

export const backupVaultsBackupInstance: KindBehaviour = {
  evidence: ['v2/api/dataprotection/customizations/backup_vaults_backup_instance_extensions.go'],
  postCheck: protectionEnded,
};

const API_VERSION = '2024-04-01';

/** Protection states that do not change by themselves. */
const ENDED = new Set([
  'configuringprotectionfailed', 'invalid', 'notprotected', 'protectionconfigured', 'softdeleted', 'protectionstopped',
  'backupschedulessuspended', 'retentionschedulessuspended',
]);

/**
 * A backup instance is done when its protection is (docs/spec/extensions.md#backup-instances). An error caused by the user, such as a
 * missing permission, stays until the instance is synchronized; a reconcile starts that, and each of the next ones polls it once.
 */
async function protectionEnded(context: KindContext, status: Body): Promise<PostCheck> {
  const protection = valueAt(status, 'properties/protectionStatus');
  const state = valueAt(protection, 'status');
  const done = { annotations: { [BACKUP_POLLER_TOKEN]: undefined } };
  if (!hasOwnerObject(context) || status.id === undefined || typeof state !== 'string' || ENDED.has(state.toLowerCase())) return done;
  const failure = `the protection of the backup instance is in state "${state}", which is not a terminal one`;
  return isUserError(state, protection) ? synchronized(context, failure) : { failure, ...done };
}

function hasOwnerObject({ object, version, lookup }: KindContext): boolean {
  const owner = ownerOf(object, version);
  return owner?.by === 'name' && lookup.find(owner.group, owner.kind, object.metadata.namespace ?? 'default', owner.name) !== undefined;
}

function isUserError(state: string, protection: unknown): boolean {
  const code = valueAt(protection, 'errorDetails/code');
  return state.toLowerCase() === 'protectionerror' && typeof code === 'string' && code.toLowerCase().includes('usererror');
}

async function synchronized(context: KindContext, failure: string): Promise<PostCheck> {
  const step = await nextStep(context);
  switch (step.kind) {
    case 'running':
      return { failure: `${failure}; it is being synchronized`, annotations: { [BACKUP_POLLER_TOKEN]: tokenOf(step.state, context) } };
    case 'succeeded':
      return { failure: `${failure}; it has been synchronized`, annotations: { [BACKUP_POLLER_TOKEN]: undefined } };
    case 'failed':
      return {
        failure: `${failure}; synchronizing it failed: ${step.error.code}: ${step.error.message}`,
        reason: 'Failed',
        annotations: { [BACKUP_POLLER_TOKEN]: undefined },
      };
  }
}

async function nextStep(context: KindContext): Promise<OperationStep> {
  const { armId, client, signal } = context;
  const running = remembered(context);
  if (running) return pollOperation(client, running, signal);
  const request = { method: 'POST', url: `${armId}/sync`, apiVersion: API_VERSION, body: { syncType: 'Default' } } as const;
  return beginOperation(request, await client.send(request, signal));
}

function tokenOf(state: OperationState, { client }: KindContext): string {
  return encodeToken(state, RESULT_TYPES.syncBackupInstance, client.endpoint);
}

/** Ignores a token that cannot be used: a second sync is harmless. */
function remembered({ object, armId }: KindContext): OperationState | undefined {
  const token = object.metadata.annotations?.[BACKUP_POLLER_TOKEN];
  if (!token) return undefined;
  try {
    return decodeToken(token, {
      type: RESULT_TYPES.syncBackupInstance, method: 'POST', originalUrl: `${armId}/sync?api-version=${API_VERSION}`,
    });
  } catch {
    return undefined;
  }
}
