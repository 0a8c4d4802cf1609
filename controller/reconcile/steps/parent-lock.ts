import { opened } from '../../../engine/arm/arm-error';
import { textMember } from '../../../engine/arm/json';
import { ArmError, type ArmClient, type RawAnswer } from '../../../engine/arm/types';
import type { CredentialProblem, ResolvedCredential } from '../../../engine/credentials/types';
import { memberIgnoringCase } from '../../../src/util/records';
import type { ObjectReconcile, ReconcileProgress } from '../object-reconcile';
import type { RightsShown } from '../parent-locks/parent-write-locks';

/** Problems for which there is no token, so that no request is sent. */
const WITHOUT_TOKEN = new Set<string>([
  'CredentialInvalid',
  'CredentialExpired',
  'CredentialRejected',
  'CredentialUnavailable',
  'ServiceAccountNotFound',
  'ServiceAccountTokenForbidden',
  'FederatedCredentialNotFound',
] satisfies readonly CredentialProblem[]);

/** Acquires the lock for writing, or queues the object for it. */
export function acquireParentLock(
  { key, object, state }: ObjectReconcile, progress: ReconcileProgress, armId: string, credential: ResolvedCredential | undefined,
): void {
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  const principal = credential && { endpoint: credential.client.endpoint, id: credential.clientId || credential.source };
  progress.outcome = { of: 'acquireLock', lock: state.parentLocks.acquire(key, armId, isDeleting, principal) };
}

/** A client whose answers show the lock whether the principal may write. */
export function lockedClient({ key, state: { parentLocks } }: ObjectReconcile, client: ArmClient): ArmClient {
  return {
    subscriptionId: client.subscriptionId,
    endpoint: client.endpoint,
    send: async (request, signal) => {
      if (request.method !== 'PUT' && request.method !== 'DELETE') return client.send(request, signal);
      const show = (rights: RightsShown | undefined) => rights && parentLocks.answered(key, rights);
      try {
        const answer = await client.send(request, signal);
        show(rightsShownBy(answer));
        return answer;
      } catch (error) {
        if (error instanceof ArmError && WITHOUT_TOKEN.has(error.code)) show('refused');
        throw error;
      }
    },
  };
}

/**
 * Azure Policy refuses with 403 what the principal may otherwise write.
 * @see https://github.com/hashicorp/terraform-provider-azurerm/issues/28701
 */
export function rightsShownBy(answer: RawAnswer): RightsShown | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 401) return 'refused';
  if (status !== 403) return undefined;
  const { body } = opened(answer);
  const code = textMember(memberIgnoringCase(body, 'error') ?? body, 'code');
  return code === 'RequestDisallowedByPolicy' ? undefined : 'refused';
}
