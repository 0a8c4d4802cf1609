import { settle, type Text } from './parameters/text';
import type { Texts } from './parameters/texts';
import { AsoAuthentication } from '../../src/core/credentials/aso-authentication';
import { assertUuid } from '../../src/core/credentials/ids';
import { isRecord } from '../../src/util/records';

type AuthenticationMode = 'workloadIdentity' | 'managedIdentity' | 'servicePrincipal';

/** The keys and values that identify an authentication mode. */
const MODES: readonly [keys: Readonly<Record<string, string>>, AuthenticationMode][] = [
  [{ USE_WORKLOAD_IDENTITY_AUTH: 'true' }, 'workloadIdentity'],
  [{ AUTH_MODE: 'podidentity' }, 'managedIdentity'],
  [{}, 'servicePrincipal'],
];

/** The content of a Secret that an `AsoCredential` can render. */
export interface CredentialSecret {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: Text;
  readonly mode: AuthenticationMode;
  authentication(clientId: string): AsoAuthentication;
}

/**
 * The content of a Secret that an `AsoCredential` can render, without metadata; otherwise undefined. A Secret with a secret value has none,
 * because an `AsoCredential` holds ids only.
 */
export function credentialSecret(object: Readonly<Record<string, unknown>>, texts: Texts): CredentialSecret | undefined {
  const { apiVersion, kind, metadata, stringData, ...others } = object;
  if (apiVersion !== 'v1' || kind !== 'Secret' || !isRecord(stringData) || Object.keys(others).length > 0 || !isRecord(metadata)) {
    return undefined;
  }
  const { AZURE_SUBSCRIPTION_ID: subscriptionId, AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, ...rest } = stringData;
  const mode = MODES.find(([keys]) => JSON.stringify(keys) === JSON.stringify(rest))?.[1];
  if (!mode || typeof subscriptionId !== 'string' || typeof tenantId !== 'string' || typeof clientId !== 'string') return undefined;
  const client = texts.of(clientId);
  const authentication = (id: string) => AsoAuthentication[mode](id);
  try {
    settle([client], (id) => authentication(id!));
    for (const parametric of [subscriptionId, tenantId].map((id) => texts.of(id)).filter(({ parameters }) => parameters.length > 0)) {
      settle([parametric], (id) => assertUuid('id', id!));
    }
    return { subscriptionId, tenantId, clientId: client, mode, authentication };
  } catch {
    return undefined; // not a UUID
  }
}
