import { literal, type Code, type Entry } from './expression';
import type { Item } from './item';
import { literal as quoted } from '../../codegen/emit-types';
import { AsoAuthentication } from '../../src/core/credentials/aso-authentication';
import { AsoCredential } from '../../src/core/credentials/aso-credential';
import { isRecord } from '../../src/util/records';

type Authentication = 'workloadIdentity' | 'managedIdentity' | 'servicePrincipal';

/** What tells how the controller signs in. */
const MODES: readonly [keys: Readonly<Record<string, string>>, Authentication][] = [
  [{ USE_WORKLOAD_IDENTITY_AUTH: 'true' }, 'workloadIdentity'],
  [{ AUTH_MODE: 'podidentity' }, 'managedIdentity'],
  [{}, 'servicePrincipal'],
];

/**
 * The props of an `AsoCredential` that gives the Secret back, apart from metadata; undefined where there is none. One with a
 * secret value never is: an `AsoCredential` has ids only.
 */
export function credentialProps({ object }: Item): Entry[] | undefined {
  const { apiVersion, kind, metadata, stringData, ...others } = object;
  if (apiVersion !== 'v1' || kind !== 'Secret' || !isRecord(stringData) || Object.keys(others).length > 0 || !isRecord(metadata)) return undefined;
  const { AZURE_SUBSCRIPTION_ID: subscriptionId, AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, ...rest } = stringData;
  const mode = MODES.find(([keys]) => JSON.stringify(keys) === JSON.stringify(rest));
  const ids = [subscriptionId, tenantId, clientId];
  if (!mode || !ids.every((id): id is string => typeof id === 'string')) return undefined;
  let authentication: AsoAuthentication;
  try {
    authentication = AsoAuthentication[mode[1]](ids[2]);
  } catch {
    return undefined; // no UUID
  }
  const at = (key: string) => ['stringData', key];
  const code: Code = { is: 'code', uses: [], value: () => authentication, text: (names) => `${names.core('AsoAuthentication')}.${mode[1]}(${quoted(ids[2])})` };
  return [
    { key: 'subscriptionId', value: literal(subscriptionId), at: at('AZURE_SUBSCRIPTION_ID') },
    { key: 'tenantId', value: literal(tenantId), at: at('AZURE_TENANT_ID') },
    { key: 'authentication', value: code, at: at('AZURE_CLIENT_ID') },
  ];
}

/** Whether the metadata is what an `AsoCredential` has by itself. */
export function isDefaultMetadata(item: Item): boolean {
  return item.name === AsoCredential.NAMESPACE_SECRET_NAME && Object.keys(item.metadata).every((key) => key === 'name' || key === 'namespace');
}
