import type { TokenCredential } from '@azure/core-auth';
import { CredentialResolver, type ArmClientParts, type CredentialResolverOptions } from '../../../engine/credentials/credential-resolver';
import type { LoadIdentity } from '../../../engine/credentials/token-credential';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

export const SUBSCRIPTIONS = [
  '00000000-1111-4222-8333-000000000000',
  '00000000-1111-4222-8333-000000000001',
  '00000000-1111-4222-8333-000000000002',
] as const;
export const IDS = {
  AZURE_SUBSCRIPTION_ID: SUBSCRIPTIONS[0],
  AZURE_TENANT_ID: 'tenant',
  AZURE_CLIENT_ID: '33333333-aaaa-4bbb-8ccc-dddddddddddd',
};
export const GLOBAL = { ...IDS, POD_NAMESPACE: 'aso-system', AZURE_CLIENT_SECRET: 'global-s3cret' };
export const FROM = 'serviceoperator.azure.com/credential-from';

export function secret(values: Record<string, string | Buffer>): KubernetesObject {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' }, data };
}

/** Records what the identity library is asked to make. */
function recorder() {
  const made: unknown[][] = [];
  const record = (name: string) =>
    class {
      public constructor(...all: unknown[]) {
        const { httpClient, ...options } = all.pop() as { readonly httpClient?: unknown };
        if (httpClient === undefined) throw new Error(`${name} sends requests without limits`);
        made.push([name, ...all, options]);
      }

      public async getToken() {
        return { token: 'token', expiresOnTimestamp: 0 };
      }
    };
  const library = Object.fromEntries(
    [
      'ClientSecretCredential',
      'ClientCertificateCredential',
      'ClientAssertionCredential',
      'WorkloadIdentityCredential',
      'ManagedIdentityCredential',
    ].map((name) => [name, record(name)]),
  );
  return { made, load: (async () => library) as unknown as LoadIdentity };
}

export function setUp(
  secrets: Record<string, KubernetesObject> = {},
  environment: CredentialResolverOptions['environment'] = GLOBAL,
  more: Partial<CredentialResolverOptions> = {},
) {
  const clients: ArmClientParts[] = [];
  const { made, load } = recorder();
  const resolver = new CredentialResolver({
    environment,
    secret: (namespace, name) => secrets[`${namespace}/${name}`],
    createClient: (parts) => {
      clients.push(parts);
      return { subscriptionId: parts.subscriptionId, endpoint: parts.endpoint, send: () => Promise.reject(new Error('not sent')) };
    },
    loadIdentity: load,
    ...more,
  });
  const resolve = (annotations?: Record<string, string>, namespace = 'ns') =>
    resolver.resolve({ metadata: { namespace, ...(annotations === undefined ? {} : { annotations }) } });
  /** The identity library's result for the newest client. */
  const identity = async () => {
    await (clients.at(-1)!.credential as TokenCredential).getToken('scope');
    return made.at(-1)!;
  };
  return { resolver, resolve, clients, secrets, identity };
}
