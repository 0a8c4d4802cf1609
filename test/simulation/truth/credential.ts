import type { Stored } from './policy';

const FROM = 'serviceoperator.azure.com/credential-from';
const OF_NAMESPACE = 'aso-credential';
/** Of a Namespace: its objects wait for its own credential (docs/guard-rails.md). */
export const REQUIRED = 'aso.cdk8s.io/credential-required';

const KEPT = 'aso.cdk8s.io/credential-in-use';
const KEPT_FOR = 'aso.cdk8s.io/credential-used-by';

/** With whose client id a request for an object has to be made. */
export type Credential =
  | { readonly is: 'client'; readonly clientId: string; readonly secret: string }
  /** The controller's own. */
  | { readonly is: 'global' }
  /** It is named, and not there or empty: nothing may be sent. */
  | { readonly is: 'none' };

/**
 * As ASO documents: the Secret that the object names, else its namespace's, else the controller's own, unless the namespace requires one.
 */
export function credentialOf(object: Stored, namespace: Stored | undefined, secret: (name: string) => Stored | undefined): Credential {
  const named = object.metadata.annotations?.[FROM];
  const found = secret(named ?? OF_NAMESPACE);
  const isRequired = namespace?.metadata.annotations?.[REQUIRED] === 'true';
  if (!found) return named === undefined && !isRequired ? { is: 'global' } : { is: 'none' };
  const [clientId, text] = ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'].map((key) =>
    Buffer.from(found.data?.[key] ?? '', 'base64').toString(),
  );
  return clientId === '' || text === '' ? { is: 'none' } : { is: 'client', clientId: clientId!, secret: text! };
}

export function secretNameOf(object: Stored): string {
  return object.metadata.annotations?.[FROM] ?? OF_NAMESPACE;
}

/** Whether the credential's Secret stays until the object is gone (docs/controller.md, credential Secrets and finalizers). */
export function isKeptFor(secret: Stored, { apiVersion, kind }: Stored): boolean {
  const kinds = (secret.metadata.annotations?.[KEPT_FOR] ?? '').split(',');
  return secret.metadata.finalizers?.includes(KEPT) === true && kinds.includes(`${kind}.${apiVersion.split('/')[0]}`);
}
