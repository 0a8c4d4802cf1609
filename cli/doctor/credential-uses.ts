import { reconciles } from './checks/controllers';
import type { CreateClient, CredentialUse } from './checks/credentials';
import type { ClusterFacts, ControllerState, Unread } from './facts';
import {
  allowsCredentialExport, CredentialResolver, GLOBAL_SECRET, NAMESPACE_SECRET, NamespaceTokens,
} from '../../engine/credentials';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';
import { requiresCredential } from '../../src/azure/credential-required';
import { isText } from '../../src/util/records';
import { atATime } from '../cluster/at-a-time';
import { AT_A_TIME } from '../cluster/azure-objects';
import type { ClusterReader } from '../cluster/reader';
import { SECRETS } from '../cluster/resource-types';

/** The part of a client that requests tokens of service accounts. */
export interface TokenClient {
  createToken(namespace: string, serviceAccount: string, audience: string, expirationSeconds: number): Promise<ServiceAccountToken>;
}

interface ServiceAccountToken {
  readonly token: string;
  readonly expirationTimestamp: string;
}

interface Options {
  readonly createClient: CreateClient;
  /** Writes a token to a file that only this user reads, and answers its path. */
  readonly tokenFile: (token: string) => string;
  readonly now: () => number;
}

const AUDIENCE = 'api://AzureADTokenExchange';
/** The shortest that the API server gives. */
const TOKEN_SECONDS = 600;

/** The credentials that objects use, each once. Secrets that may not be read are reported and left out. */
export async function credentialUses(
  client: ClusterReader & TokenClient, facts: ClusterFacts, options: Options, unread: Unread[],
): Promise<CredentialUse[]> {
  const controller = facts.controllers.find(reconciles);
  if (!controller) return [];
  const secrets = new Map<string, KubernetesObject | undefined>();
  const forbidden = new Set<string>();
  const named = new Set([`${controller.namespace}/${GLOBAL_SECRET}`]);
  for (const { metadata } of facts.objects) named.add(`${metadata.namespace ?? ''}/${metadata.annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET}`);
  await atATime([...named], AT_A_TIME, async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    try {
      secrets.set(key, await client.get(SECRETS, name, namespace));
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
      forbidden.add(key);
      unread.push({ area: 'credentials', text: `Secret ${key}: ${error.message}` });
    }
  });
  const environment = await environmentOf(client, controller, secrets.get(`${controller.namespace}/${GLOBAL_SECRET}`), options);
  const uses = new Map<string, CredentialUse & { objects: number }>();
  const resolver = resolverOf(client, { environment: environment.variables, secrets, facts, options });
  for (const object of facts.objects) {
    const { namespace = '' } = object.metadata;
    const own = `${namespace}/${object.metadata.annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET}`;
    if (forbidden.has(own)) continue;
    const isGlobal = object.metadata.annotations?.[CREDENTIAL_FROM] === undefined && secrets.get(own) === undefined;
    if (isGlobal && forbidden.has(`${controller.namespace}/${GLOBAL_SECRET}`)) continue;
    const hasGlobal = environment.variables.AZURE_SUBSCRIPTION_ID !== undefined;
    const key = isGlobal && hasGlobal ? `${controller.namespace}/${GLOBAL_SECRET}` : own;
    const known = uses.get(key);
    if (known) known.objects += 1;
    else uses.set(key, { title: `Secret ${key}`, object, objects: 1, resolve: () => resolver().resolve(object), untried: environment.untried(secrets.get(key)) });
  }
  return [...uses.values()];
}

interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Why a credential cannot be tried from here. */
  readonly untried: (secret: KubernetesObject | undefined) => string | undefined;
}

/** The settings of the controller, with a token of its service account where it federates. */
async function environmentOf(
  client: TokenClient, controller: ControllerState, settings: KubernetesObject | undefined, { tokenFile }: Options,
): Promise<Environment> {
  const variables: Record<string, string | undefined> = { ...decoded(settings), POD_NAMESPACE: controller.namespace };
  let refused: string | undefined;
  try {
    const { token } = await client.createToken(controller.namespace, controller.serviceAccount, AUDIENCE, TOKEN_SECONDS);
    variables.AZURE_FEDERATED_TOKEN_FILE = tokenFile(token);
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    refused = `cannot be tried from here: no token of the service account ${controller.namespace}/${controller.serviceAccount} (${error.message})`;
  }
  return {
    variables,
    untried: (secret) => {
      const keys = Object.keys(secret?.data ?? {});
      if (keys.includes('AZURE_CLIENT_SECRET') || keys.includes('AZURE_CLIENT_CERTIFICATE')) return undefined;
      if (decoded(secret).AUTH_MODE === 'podidentity') return 'cannot be tried from here: it is the identity of the cluster\'s nodes';
      if (keys.includes('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS')) return 'cannot be tried from here: it is a file in the pods of the controller';
      return refused;
    },
  };
}

interface Resolving {
  readonly environment: Environment['variables'];
  readonly secrets: ReadonlyMap<string, KubernetesObject | undefined>;
  readonly facts: ClusterFacts;
  readonly options: Options;
}

/** Made at the first use: wrong settings of the controller are then an error of the credential that they are. */
function resolverOf(client: TokenClient, { environment, secrets, facts, options }: Resolving): () => CredentialResolver {
  const namespaceNamed = (name: string) => facts.namespaces.find(({ metadata }) => metadata.name === name);
  const isStrict = environment.AZURE_WORKLOAD_IDENTITY_AUTH_MODE?.toLowerCase() === 'strict';
  let made: CredentialResolver | undefined;
  return () => made ??= new CredentialResolver({
    environment,
    secret: (namespace, name) => secrets.get(`${namespace}/${name}`),
    allowsExported: (namespace, name) => allowsCredentialExport(namespaceNamed(namespace), name),
    requiresCredential: (namespace) => requiresCredential(namespaceNamed(namespace)?.metadata.annotations),
    createClient: options.createClient,
    namespaceTokens: isStrict ? new NamespaceTokens(client, options) : undefined,
  });
}

function decoded(secret: KubernetesObject | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(secret?.data ?? {}).filter(([, value]) => isText(value))
    .map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString('utf8')]));
}
