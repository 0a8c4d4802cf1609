import type { HttpClient } from '@azure/core-rest-pipeline';
import { reconciles } from './checks/controllers';
import type { CreateClient, CredentialUse } from './checks/credentials';
import type { ClusterFacts, ControllerState, Unread } from './facts';
import {
  allowsCredentialExport, CredentialResolver, GLOBAL_SECRET, NAMESPACE_SECRET, NamespaceTokens,
} from '../../engine/credentials';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM, OPERATOR_NAMESPACE } from '../../src/azure/annotations';
import { requiresCredential } from '../../src/azure/credential-required';
import { decodeSecretData } from '../../src/util/secret-data';
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
  /** Of requests for tokens. Default: Node's. */
  readonly httpClient?: HttpClient | undefined;
  /** Writes a token to a file that only this user reads, and answers its path. */
  readonly tokenFile: (token: string) => string;
  readonly now: () => number;
}

const AUDIENCE = 'api://AzureADTokenExchange';
/** The shortest that the API server gives. */
const TOKEN_SECONDS = 600;

/** The credentials that objects use, each once for each controller. Secrets that may not be read are reported and left out. */
export async function credentialUses(
  client: ClusterReader & TokenClient, facts: ClusterFacts, options: Options, unread: Unread[],
): Promise<CredentialUse[]> {
  const controllers = facts.controllers.filter(reconciles);
  if (controllers.length === 0) return [];
  const named = new Set(controllers.map(({ namespace }) => `${namespace}/${GLOBAL_SECRET}`));
  for (const object of facts.objects) named.add(ownSecretOf(object));
  const read = await readSecrets(client, [...named], unread);
  const uses: CredentialUse[] = [];
  for (const controller of controllers) {
    const objects = facts.objects.filter((object) => controllerOf(object, controllers) === controller);
    uses.push(...await usesOf(client, { controller, objects, read, facts, options }));
  }
  return uses;
}

/** The controller whose settings and global credential an object has. */
function controllerOf({ metadata: { namespace = '', annotations } }: KubernetesObject, controllers: readonly ControllerState[]): ControllerState {
  const watching = controllers.filter(({ targetNamespaces = [] }) => targetNamespaces.length === 0 || targetNamespaces.includes(namespace));
  const among = watching.length > 0 ? watching : controllers;
  return among.find((controller) => controller.namespace === annotations?.[OPERATOR_NAMESPACE]) ?? among[0]!;
}

function ownSecretOf({ metadata: { namespace = '', annotations } }: KubernetesObject): string {
  return `${namespace}/${annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET}`;
}

interface ReadSecrets {
  readonly secrets: ReadonlyMap<string, KubernetesObject | undefined>;
  readonly forbidden: ReadonlySet<string>;
}

async function readSecrets(client: ClusterReader, keys: readonly string[], unread: Unread[]): Promise<ReadSecrets> {
  const secrets = new Map<string, KubernetesObject | undefined>();
  const forbidden = new Set<string>();
  await atATime(keys, AT_A_TIME, async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    try {
      secrets.set(key, await client.get(SECRETS, name, namespace));
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
      forbidden.add(key);
      unread.push({ area: 'credentials', text: `Secret ${key}: ${error.message}` });
    }
  });
  return { secrets, forbidden };
}

interface UsesOptions {
  readonly controller: ControllerState;
  readonly objects: readonly KubernetesObject[];
  readonly read: ReadSecrets;
  readonly facts: ClusterFacts;
  readonly options: Options;
}

async function usesOf(
  client: TokenClient, { controller, objects, read: { secrets, forbidden }, facts, options }: UsesOptions,
): Promise<CredentialUse[]> {
  const global = `${controller.namespace}/${GLOBAL_SECRET}`;
  const environment = await environmentOf(client, controller, secrets.get(global), options);
  const uses = new Map<string, CredentialUse & { objects: number }>();
  const resolver = resolverOf(client, { environment: environment.variables, secrets, facts, options });
  for (const object of objects) {
    const own = ownSecretOf(object);
    if (forbidden.has(own)) continue;
    const isGlobal = object.metadata.annotations?.[CREDENTIAL_FROM] === undefined && secrets.get(own) === undefined;
    if (isGlobal && forbidden.has(global)) continue;
    const hasGlobal = environment.variables.AZURE_SUBSCRIPTION_ID !== undefined;
    const key = isGlobal && hasGlobal ? global : own;
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
  const variables: Record<string, string | undefined> = { ...decodeSecretData(settings?.data), POD_NAMESPACE: controller.namespace };
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
      if (decodeSecretData(secret?.data).AUTH_MODE === 'podidentity') return 'cannot be tried from here: it is the identity of the cluster\'s nodes';
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
    httpClient: options.httpClient,
    namespaceTokens: isStrict ? new NamespaceTokens(client, options) : undefined,
  });
}
