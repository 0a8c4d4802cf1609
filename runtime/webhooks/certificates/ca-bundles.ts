import { CRD_KIND } from '../../../engine/kubernetes';
import {
  KubernetesError,
  type KubernetesClient,
  type KubernetesListWatch,
  type KubernetesObject,
  type ListOptions,
  type ResourceType,
} from '../../../engine/kubernetes/types';
import { LOADED_GENERATION } from '../../../src/azure/annotations';
import { INJECT_CA_ANNOTATION } from '../../../src/catalog/webhook-configurations';
import { isRecord, type JsonObject, ownMember } from '../../../src/util/records';

/** The Service of our webhooks. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
}

/** The objects by which the API server knows our webhooks. */
export interface WebhookClients {
  readonly service: WebhookService;
  /** Whether a CRD may ask the Service for conversions, by its name. */
  readonly isOurs: (crd: string) => boolean;
  /** Kinds of webhook configurations that may name the Service. Default: both. */
  readonly configurations?: readonly ResourceType[];
}

const REGISTRATION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
export const VALIDATING_WEBHOOKS: ResourceType = {
  ...REGISTRATION, plural: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration',
};
const CONFIGURATIONS: readonly ResourceType[] = [
  { ...REGISTRATION, plural: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' }, VALIDATING_WEBHOOKS,
];

const PAGE = 500;

/**
 * Writes the trusted authorities into all clients of our Service: webhook configurations, and CRDs.
 *
 * An API server can keep an old webhook configuration until the next event about it: a change that comes while it reads them is overtaken
 * by what it has read before (`configurationsCache` in k8s.io/apiserver/pkg/admission/configuration, Kubernetes 1.28 and later; 72 of
 * 8,808 changes were lost beside two busy readers). So each change is followed by an annotation, by the next check.
 */
export class CaBundles {
  /** Up-to-date CRDs, which are large and so are not read again until they change. Name → resourceVersion. */
  private readonly right = new Map<string, string>();
  /** Generations of webhook configurations at the check before, by uid: one that is made anew begins at 1 again. */
  private readonly seen = new Map<string, number>();
  private written = '';
  private injects = false;

  public constructor(
    private readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>,
    private readonly clients: WebhookClients,
    private readonly onProblem: (message: string) => void,
  ) {}

  /**
   * Returns whether all clients trust the bundle (PEM) now, and API servers have noticed. An error is reported, and the other clients are
   * still written.
   * @param injects whether clients into which cert-manager injects are written as well
   */
  public async write(bundle: string, injects = false): Promise<boolean> {
    const encoded = Buffer.from(bundle).toString('base64');
    if (encoded !== this.written || injects !== this.injects) this.right.clear();
    this.written = encoded;
    this.injects = injects;
    const done = [];
    const { service, configurations = CONFIGURATIONS } = this.clients;
    for (const type of configurations) {
      done.push(await this.each(type, {}, (object) => this.configuration(type, object, service, encoded)));
    }
    done.push(await this.each(CRD_KIND, { metadataOnly: true }, async (listed) => {
      await this.crd(listed, encoded);
      return true;
    }));
    return done.every(Boolean);
  }

  /** Returns whether API servers have noticed the object as it is. */
  private async configuration(type: ResourceType, object: KubernetesObject, service: WebhookService, encoded: string): Promise<boolean> {
    if (!namesService(object, service) || !this.isOurs(object)) return true;
    const { metadata: { name, uid = '', generation, annotations, resourceVersion } } = await this.patch(
      type, object, trustingConfiguration(object, service, encoded),
    );
    if (generation === undefined || annotations?.[LOADED_GENERATION] === String(generation)) return true;
    const isSeen = this.seen.get(uid) === generation;
    this.seen.set(uid, generation);
    if (isSeen) {
      const metadata = { resourceVersion, annotations: { [LOADED_GENERATION]: String(generation) } };
      await this.client.patch(type, name, undefined, { metadata }, 'application/merge-patch+json');
    }
    return isSeen;
  }

  private async crd({ metadata: { name, resourceVersion } }: KubernetesObject, encoded: string): Promise<void> {
    if (!this.clients.isOurs(name) || (resourceVersion && this.right.get(name) === resourceVersion)) return;
    const object = await this.client.get(CRD_KIND, name);
    if (!object) return;
    const after = await this.patch(CRD_KIND, object, trustingCrd(object, this.clients.service, encoded));
    if (after.metadata.resourceVersion) this.right.set(name, after.metadata.resourceVersion);
  }

  /** Objects of cert-manager are left to cert-manager. */
  private isOurs({ metadata: { annotations } }: KubernetesObject): boolean {
    return !annotations?.[INJECT_CA_ANNOTATION] || this.injects;
  }

  /** The patch is bound to the version that was read. */
  private async patch(type: ResourceType, object: KubernetesObject, change: object | undefined): Promise<KubernetesObject> {
    const { name, resourceVersion } = object.metadata;
    if (!change || !this.isOurs(object)) return object;
    return this.client.patch(type, name, undefined, { metadata: { resourceVersion }, ...change }, 'application/merge-patch+json');
  }

  private async each(type: ResourceType, options: ListOptions, act: (object: KubernetesObject) => Promise<boolean>): Promise<boolean> {
    let complete = true;
    const attempt = async <T>(what: string, request: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await request();
      } catch (error) {
        // The API server does not serve the resource, so no requests come from it.
        if (error instanceof KubernetesError && error.status === 404) return undefined;
        complete = false;
        // Another replica was faster; the next check reads its result.
        if (error instanceof KubernetesError && error.status === 409) return undefined;
        this.onProblem(`the certificate authority of the webhooks could not be written into ${what}: ${(error as Error).message}`);
        return undefined;
      }
    };
    let next: string | undefined;
    do {
      const page = await attempt(`${type.plural} (list)`, () => this.client.list(type, { ...options, limit: PAGE, continue: next }));
      for (const object of page?.items ?? []) {
        if (await attempt(`${type.plural} ${object.metadata.name}`, () => act(object)) === false) complete = false;
      }
      next = page?.continue;
    } while (next !== undefined);
    return complete;
  }
}

function webhooksOf(object: KubernetesObject): readonly unknown[] {
  const { webhooks } = object as { webhooks?: unknown };
  return Array.isArray(webhooks) ? webhooks : [];
}

function clientConfigOf(webhook: unknown): JsonObject | undefined {
  const clientConfig = isRecord(webhook) ? ownMember(webhook, 'clientConfig') : undefined;
  return isRecord(clientConfig) ? clientConfig : undefined;
}

function namesService(object: KubernetesObject, service: WebhookService): boolean {
  return webhooksOf(object).some((webhook) => {
    const clientConfig = clientConfigOf(webhook);
    return clientConfig !== undefined && isFor(clientConfig, service);
  });
}

/** The change to a webhook configuration so that it trusts the authority; undefined: none. */
function trustingConfiguration(object: KubernetesObject, service: WebhookService, encoded: string): object | undefined {
  const webhooks = webhooksOf(object);
  const trusting = webhooks.map((webhook) => {
    const clientConfig = clientConfigOf(webhook);
    if (!clientConfig || !mistrusts(clientConfig, service, encoded)) return webhook;
    return { ...(webhook as object), clientConfig: { ...clientConfig, caBundle: encoded } };
  });
  return trusting.some((webhook, index) => webhook !== webhooks[index]) ? { webhooks: trusting } : undefined;
}

function trustingCrd({ spec }: KubernetesObject, service: WebhookService, encoded: string): object | undefined {
  const clientConfig = ['conversion', 'webhook', 'clientConfig'].reduce<unknown>(
    (value, key) => (isRecord(value) ? ownMember(value, key) : undefined),
    spec,
  );
  if (!isRecord(clientConfig) || !mistrusts(clientConfig, service, encoded)) return undefined;
  return { spec: { conversion: { webhook: { clientConfig: { caBundle: encoded } } } } };
}

/** Whether the client configuration names our Service with another authority. */
function mistrusts(clientConfig: JsonObject, service: WebhookService, encoded: string): boolean {
  return isFor(clientConfig, service) && ownMember(clientConfig, 'caBundle') !== encoded;
}

function isFor(clientConfig: JsonObject, { name, namespace }: WebhookService): boolean {
  const named = ownMember(clientConfig, 'service');
  return isRecord(named) && named.name === name && named.namespace === namespace;
}
