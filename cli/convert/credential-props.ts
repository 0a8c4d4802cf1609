import { credentialSecret } from './credential-secret';
import { literal, type Code, type Entry } from './expression';
import type { Item } from './item';
import { AsoCredential } from '../../src/core/credentials/aso-credential';

/** The props of an `AsoCredential` that renders the Secret, without metadata; undefined when there are none. */
export function credentialProps({ object, texts }: Item): Entry[] | undefined {
  const secret = credentialSecret(object, texts);
  if (!secret) return undefined;
  const { subscriptionId, tenantId, clientId, mode, authentication } = secret;
  const at = (key: string) => ['stringData', key];
  const code: Code = {
    is: 'code',
    uses: [],
    value: (run) => authentication(clientId.text(run)),
    text: (names) => `${names.core('AsoAuthentication')}.${mode}(${clientId.print(names)})`,
  };
  return [
    { key: 'subscriptionId', value: literal(subscriptionId, at('AZURE_SUBSCRIPTION_ID'), texts), at: at('AZURE_SUBSCRIPTION_ID') },
    { key: 'tenantId', value: literal(tenantId, at('AZURE_TENANT_ID'), texts), at: at('AZURE_TENANT_ID') },
    { key: 'authentication', value: code, at: at('AZURE_CLIENT_ID') },
  ];
}

/** Whether the metadata equals the default of `AsoCredential`. */
export function isDefaultMetadata(item: Item): boolean {
  return (
    item.name === AsoCredential.NAMESPACE_SECRET_NAME && Object.keys(item.metadata).every((key) => key === 'name' || key === 'namespace')
  );
}
