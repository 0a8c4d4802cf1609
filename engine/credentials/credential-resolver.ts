import { createHmac, randomBytes } from 'node:crypto';
import type { TokenCredential } from '@azure/core-auth';
import type { HttpClient } from '@azure/core-rest-pipeline';
import {
  authenticationOfSecret,
  authenticationOfSettings,
  certificateInput,
  DEFAULT_TOKEN_FILE,
  isTrue,
  type Authentication,
} from './authentication';
import type { CertificateStore } from './certificate-store';
import { cloudOfSecret, cloudOfSettings, databaseScopeOf, databaseSuffixesOf, graphOf, type Cloud } from './cloud';
import { GLOBAL_SECRET, NAMESPACE_SECRET, REQUIRED_KEYS } from './credential-keys';
import { CredentialValues } from './credential-values';
import { exporterOf } from './exported-secret';
import type { NamespaceTokens } from './namespace-tokens';
import { tokenCredential, type LoadIdentity } from './token-credential';
import { CredentialError, type CredentialSource, type ResolvedCredential } from './types';
import { ACCEPTS_CREDENTIALS_FROM, ALLOWS_CREDENTIAL_EXPORTS, CREDENTIAL_FROM, CREDENTIAL_REQUIRED } from '../../src/azure/annotations';
import { ownValue } from '../../src/util/elements';
import { setNewest } from '../../src/util/set-newest';
import type { ArmClient } from '../arm/types';
import type { KubernetesObject } from '../kubernetes/types';


/** The parts that an ArmClient is created from. */
export interface ArmClientParts {
  readonly credential: TokenCredential;
  readonly subscriptionId: string;
  readonly endpoint: string;
  readonly audience: string;
  readonly additionalTenants: readonly string[];
  /** Absent: the cloud is one of Azure's, or the controller's own. */
  readonly isForeign?: true;
}

export interface CredentialResolverOptions {
  /** The settings of the controller; normally `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Looks up a Secret in the informer's store, without a request. */
  readonly secret: (namespace: string, name: string) => KubernetesObject | undefined;
  /** Whether the Namespace requires credentials of its own. Throws while the Namespace is not known yet. Default: no Namespace does. */
  readonly requiresCredential?: (namespace: string) => boolean;
  /**
   * Whether the Namespace lets an export write this credential. Throws while the Namespace is not known yet. Default: no Namespace does.
   */
  readonly allowsExported?: (namespace: string, name: string) => boolean;
  /**
   * The identity of another namespace with this client id as which the namespace may not act: `platform/id-shop`. Throws while the
   * identities, or the Namespace, are not known yet. Default: none is known.
   */
  readonly identityWithheld?: (namespace: string, clientId: string) => string | undefined;
  readonly createClient: (parts: ArmClientParts) => ArmClient;
  /** Wraps a client of Microsoft Graph, e.g. to respect its throttling. Default: the client is used unchanged. */
  readonly limitGraph?: (client: ArmClient, of: { readonly tenantId: string; readonly clientId: string }) => ArmClient;
  readonly loadIdentity?: LoadIdentity | undefined;
  /** Of requests for tokens. For tests. Default: Node's HTTPS with keep-alive. */
  readonly httpClient?: HttpClient | undefined;
  /**
   * Strict workload identity: namespace and object credentials are exchanged for tokens of the namespace's own service account. Absent: for
   * the controller's token, regardless of who names the identity.
   */
  readonly namespaceTokens?: Pick<NamespaceTokens, 'token'> | undefined;
  /** Reads certificates of Secrets outside the event loop. Absent: they are read in the event loop. */
  readonly certificates?: Pick<CertificateStore, 'prepare' | 'read'> | undefined;
}

interface Cached {
  readonly digest: string;
  readonly resolved: ResolvedCredential;
  /**
   * Whether the Secret only names the identity, and the token that is exchanged for it is the controller's, or the node's. With a client
   * secret, a certificate or the namespace's own token, Entra decides.
   */
  readonly isBorrowed: boolean;
}

const BORROWED: readonly Authentication['mode'][] = ['workloadIdentity', 'managedIdentity'];
/** Maximum number of cached clients; the least recently used one is evicted first. */
export const MAX_CACHED_CREDENTIALS = 1_000;

/**
 * Selects the credential of an object on every reconcile: object scope, namespace scope, global (docs/spec/credentials.md#selection).
 */
export class CredentialResolver implements CredentialSource {
  /** The global credential; undefined when the settings name no subscription. */
  public readonly global: ResolvedCredential | undefined;
  private readonly cloud: Cloud;
  private readonly tokenFile: string;
  private readonly allowClouds: boolean;
  private readonly cache = new Map<string, Cached>();
  /** Random key, so that digests of Secrets are useless outside this process. */
  private readonly digestKey = randomBytes(32);
  /** Informers replace objects and never mutate them. */
  private readonly digests = new WeakMap<KubernetesObject, string>();

  /** Throws CredentialError when the settings name an invalid credential. */
  public constructor(private readonly options: CredentialResolverOptions) {
    const { environment } = options;
    this.cloud = cloudOfSettings(environment);
    this.tokenFile = environment.AZURE_FEDERATED_TOKEN_FILE || DEFAULT_TOKEN_FILE;
    this.allowClouds = isTrue(environment.ALLOW_MULTI_ENV_MANAGEMENT);
    this.global = this.globalCredential();
  }

  public resolve(object: Parameters<CredentialSource['resolve']>[0]): ResolvedCredential {
    const { namespace = '', annotations = {} } = object.metadata;
    const named = ownValue(annotations, CREDENTIAL_FROM);
    if (named !== undefined) return this.ofAnnotation(namespace, named);
    const scoped = this.find(namespace, NAMESPACE_SECRET);
    if (scoped) return this.ofSecret(scoped, `${namespace}/${NAMESPACE_SECRET}`);
    if (this.options.requiresCredential?.(namespace)) throw credentialRequired(namespace);
    if (this.global) return this.global;
    throw new CredentialError(
      'global credential not configured, you must use either namespaced or per-resource credentials',
      'CredentialNotFound',
    );
  }

  /** Reads the certificate that `resolve` needs for an object. Other faults are reported by `resolve`. */
  public async prepare({ metadata: { namespace = '', annotations = {} } }: Parameters<CredentialSource['resolve']>[0]): Promise<void> {
    const { certificates } = this.options;
    const name = Object.hasOwn(annotations, CREDENTIAL_FROM) ? annotations[CREDENTIAL_FROM] : NAMESPACE_SECRET;
    const secret = certificates && namespace && name && !name.includes('/') ? this.options.secret(namespace, name) : undefined;
    if (!secret || !isCertificate(secret) || this.cache.get(`${namespace}/${name}`)?.digest === this.digestOf(secret)) return;
    const input = certificateInput(CredentialValues.ofSecret(secret, `${namespace}/${name}`));
    if (input) await certificates!.prepare(input, namespace);
  }

  /** Drops everything derived from a deleted Secret, above all its secret values. */
  public forget(namespace: string, name: string): void {
    this.cache.delete(`${namespace}/${name}`);
  }

  private ofAnnotation(namespace: string, name: string): ResolvedCredential {
    if (name.includes('/')) {
      throw new CredentialError(`${CREDENTIAL_FROM} cannot contain '/'. Secret must be in same namespace as resource.`);
    }
    const secret = this.find(namespace, name);
    if (!secret) {
      throw new CredentialError(
        `${namespace}/${name} does not exist (credential secret not found: Secret "${name}" not found)`,
        'CredentialNotFound',
      );
    }
    return this.ofSecret(secret, `${namespace}/${name}`);
  }

  private find(namespace: string, name: string): KubernetesObject | undefined {
    const secret = namespace && name ? this.options.secret(namespace, name) : undefined;
    if (!secret) this.forget(namespace, name);
    return secret;
  }

  private ofSecret(secret: KubernetesObject, source: string): ResolvedCredential {
    this.refuseExported(secret, source);
    const digest = this.digestOf(secret);
    const known = this.cache.get(source);
    // Also where the new content cannot be used: of the old one nothing is kept.
    if (known?.digest !== digest) this.cache.delete(source);
    const cached = known?.digest === digest ? known : { digest, ...this.resolved(secret, source) };
    setNewest(this.cache, source, cached, MAX_CACHED_CREDENTIALS);
    if (cached.isBorrowed) this.refuseForeignIdentity(secret.metadata.namespace ?? '', cached.resolved);
    return cached.resolved;
  }

  /**
   * A client id is no secret: to name the controller's identity is not to have a credential of one's own, and to name the identity of
   * another namespace is not to be allowed to act as it.
   */
  private refuseForeignIdentity(namespace: string, { clientId = '', source }: ResolvedCredential): void {
    const isGlobal = clientId !== '' && clientId.toLowerCase() === this.global?.clientId?.toLowerCase();
    if (isGlobal && this.options.requiresCredential?.(namespace)) {
      throw new CredentialError(
        `namespace "${namespace}" requires a credential of its own (annotation ${CREDENTIAL_REQUIRED}), and Secret "${source}" names the identity of the controller itself: `
        + 'it is not used. Put the client id of the identity of this namespace there',
      );
    }
    const holder = this.options.identityWithheld?.(namespace, clientId);
    if (holder === undefined) return;
    throw new CredentialError(
      `Secret "${source}" names the client id of UserAssignedIdentity "${holder}", which is in another namespace: it is not used. If this namespace may act as the identity, `
      + `have the platform annotate Namespace "${namespace}" with ${ACCEPTS_CREDENTIALS_FROM}: ${holder}`,
    );
  }

  /** Refuses a credential that an export wrote: users who may write Azure objects choose the exports, but must not choose the identity. */
  private refuseExported(secret: KubernetesObject, source: string): void {
    const exporter = exporterOf(secret);
    const [namespace = '', name = ''] = source.split('/');
    if (exporter === undefined || this.options.allowsExported?.(namespace, name)) return;
    throw new CredentialError(
      `credential Secret "${source}" belongs to ${exporter}, which may choose its content by an export: it is not used as a credential. `
      + `Create the Secret without an owner, or have the platform list "${name}" in the annotation ${ALLOWS_CREDENTIAL_EXPORTS} of the Namespace`,
    );
  }

  private resolved(secret: KubernetesObject, source: string): Omit<Cached, 'digest'> {
    const values = CredentialValues.ofSecret(secret, source);
    values.guid('AZURE_SUBSCRIPTION_ID');
    const cloud = cloudOfSecret(values.texts, source, this.allowClouds, this.cloud) ?? this.cloud;
    const named = authenticationOfSecret(values, this.tokenFile, this.options.certificates?.read);
    const authentication = this.ownIdentity(named, source.slice(0, source.indexOf('/')));
    return { resolved: this.withClient(values, authentication, cloud), isBorrowed: BORROWED.includes(authentication.mode) };
  }

  /** In strict mode the controller's token is never exchanged for an identity that a tenant has named. */
  private ownIdentity(authentication: Authentication, namespace: string): Authentication {
    if (authentication.mode !== 'workloadIdentity' || !this.options.namespaceTokens) return authentication;
    const { tenantId, clientId, additionalTenants } = authentication;
    return { mode: 'namespaceIdentity', tenantId, clientId, namespace, additionalTenants };
  }

  private globalCredential(): ResolvedCredential | undefined {
    const { environment } = this.options;
    if (!environment.AZURE_SUBSCRIPTION_ID?.trim()) return undefined;
    const values = CredentialValues.ofEnvironment(environment, `${environment.POD_NAMESPACE ?? ''}/${GLOBAL_SECRET}`);
    return this.withClient(values, authenticationOfSettings(values, this.tokenFile), this.cloud);
  }

  private withClient(values: CredentialValues, authentication: Authentication, cloud: Cloud): ResolvedCredential {
    const subscriptionId = values.text('AZURE_SUBSCRIPTION_ID');
    const { loadIdentity: load, namespaceTokens, httpClient } = this.options;
    const credential = tokenCredential(authentication, cloud, { where: values.description, load, namespaceTokens, httpClient });
    const common = {
      credential,
      subscriptionId,
      additionalTenants: 'additionalTenants' in authentication ? authentication.additionalTenants : [],
      ...(cloud.isForeign ? { isForeign: cloud.isForeign } : {}),
    };
    const client = this.options.createClient({ ...common, endpoint: cloud.endpoint, audience: cloud.audience });
    const principal = { tenantId: values.optional('AZURE_TENANT_ID') ?? '', clientId: values.optional('AZURE_CLIENT_ID') ?? '' };
    const graphClient = () => {
      const made = this.options.createClient({ ...common, endpoint: graphOf(cloud), audience: graphOf(cloud), additionalTenants: [] });
      return this.options.limitGraph?.(made, { ...principal, clientId: principal.clientId || values.source }) ?? made;
    };
    let graph: ArmClient | undefined;
    return {
      source: values.source,
      subscriptionId,
      ...principal,
      client,
      // Created lazily: few objects need it, and most simulators of Azure have no Graph.
      graph: () => (graph ??= graphClient()),
      databaseSuffixes: databaseSuffixesOf(cloud),
      databaseToken: async (abortSignal, server) => {
        const token = await credential.getToken(databaseScopeOf(cloud, server), { abortSignal });
        if (!token) throw new CredentialError(`Entra gave no token for databases to the ${values.description}`, 'CredentialUnavailable');
        return token.token;
      },
    };
  }

  private digestOf(secret: KubernetesObject): string {
    const known = this.digests.get(secret);
    if (known !== undefined) return known;
    const { data = {} } = secret;
    const digest = createHmac('sha256', this.digestKey);
    for (const key of Object.keys(data).sort()) digest.update(JSON.stringify([key, data[key]]));
    const text = digest.digest('base64');
    this.digests.set(secret, text);
    return text;
  }
}

function credentialRequired(namespace: string): CredentialError {
  return new CredentialError(
    `namespace "${namespace}" requires a credential of its own (annotation ${CREDENTIAL_REQUIRED}), and Secret "${namespace}/${NAMESPACE_SECRET}" does not exist: `
    + 'the object waits for it, and the global credential is not used. Create the Secret, or see why the identity that is to fill it is not ready',
    'CredentialNotFound');
}

/** Whether a Secret is a credential with a certificate. */
function isCertificate({ data = {} }: KubernetesObject): boolean {
  return (
    Object.hasOwn(data, 'AZURE_CLIENT_CERTIFICATE')
    && !Object.hasOwn(data, 'AZURE_CLIENT_SECRET')
    && REQUIRED_KEYS.every((key) => Object.hasOwn(data, key))
  );
}
