import { INJECT_CA_ANNOTATION } from '../../../src/catalog/webhook-configurations';
import { isJsonObject, member } from '../../convert/json';
import { CRD_KIND } from '../../kubernetes';
import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ListOptions, type ResourceType } from '../../kubernetes/types';

/** Whose webhooks are ours. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
}

const REGISTRATION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const CONFIGURATIONS: readonly ResourceType[] = [
  { ...REGISTRATION, plural: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' },
  { ...REGISTRATION, plural: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration' },
];

const PAGE = 500;

/** Writes the authorities that are to be trusted into everything that sends requests to our service: webhook configurations, and CRDs. */
export class CaBundles {
  /** CRDs are large: one that has not changed since it was right is not read again. Name → resourceVersion. */
  private readonly right = new Map<string, string>();
  private written = '';

  public constructor(
    private readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>,
    private readonly service: WebhookService,
    private readonly onProblem: (message: string) => void,
  ) {}

  /** Answers whether everything trusts the bundle (PEM) now. Problems are told, and the rest goes on. */
  public async write(bundle: string): Promise<boolean> {
    const encoded = Buffer.from(bundle).toString('base64');
    if (encoded !== this.written) this.right.clear();
    this.written = encoded;
    const done = [];
    for (const type of CONFIGURATIONS) done.push(await this.each(type, {}, (object) => this.patch(type, object, missingIn(configurationPlaces(object), this.service, encoded), encoded)));
    done.push(await this.each(CRD_KIND, { metadataOnly: true }, (listed) => this.crd(listed, encoded)));
    return done.every(Boolean);
  }

  private async crd({ metadata: { name, resourceVersion } }: KubernetesObject, encoded: string): Promise<void> {
    if (!name.endsWith('.azure.com') || (resourceVersion && this.right.get(name) === resourceVersion)) return;
    const object = await this.client.get(CRD_KIND, name);
    if (!object) return;
    const after = await this.patch(CRD_KIND, object, missingIn(crdPlaces(object), this.service, encoded), encoded);
    if (after.metadata.resourceVersion) this.right.set(name, after.metadata.resourceVersion);
  }

  /** Of cert-manager's objects cert-manager takes care. */
  private async patch(type: ResourceType, object: KubernetesObject, places: readonly string[], encoded: string): Promise<KubernetesObject> {
    const { name, resourceVersion, annotations } = object.metadata;
    if (places.length === 0 || annotations?.[INJECT_CA_ANNOTATION]) return object;
    const patch = [
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      ...places.map((place) => ({ op: 'add', path: `${place}/caBundle`, value: encoded })),
    ];
    return this.client.patch(type, name, undefined, patch, 'application/json-patch+json');
  }

  private async each(type: ResourceType, options: ListOptions, act: (object: KubernetesObject) => Promise<unknown>): Promise<boolean> {
    let complete = true;
    const attempt = async <T>(what: string, request: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await request();
      } catch (error) {
        // Nobody serves the resource: then nobody sends requests by it.
        if (error instanceof KubernetesError && error.status === 404) return undefined;
        complete = false;
        this.onProblem(`the certificate authority of the webhooks could not be written into ${what}: ${(error as Error).message}`);
        return undefined;
      }
    };
    let next: string | undefined;
    do {
      const page = await attempt(`${type.plural} (list)`, () => this.client.list(type, { ...options, limit: PAGE, continue: next }));
      for (const object of page?.items ?? []) await attempt(`${type.plural} ${object.metadata.name}`, () => act(object));
      next = page?.continue;
    } while (next !== undefined);
    return complete;
  }
}

interface Place {
  /** JSON pointer of a client configuration. */
  readonly path: string;
  readonly clientConfig: unknown;
}

function configurationPlaces(object: KubernetesObject): Place[] {
  const { webhooks } = object as { webhooks?: unknown };
  return (Array.isArray(webhooks) ? webhooks : []).map((webhook: unknown, index) => ({
    path: `/webhooks/${index}/clientConfig`, clientConfig: isJsonObject(webhook) ? member(webhook, 'clientConfig') : undefined,
  }));
}

function crdPlaces({ spec }: KubernetesObject): Place[] {
  const at = ['conversion', 'webhook', 'clientConfig'];
  const clientConfig = at.reduce<unknown>((value, key) => (isJsonObject(value) ? member(value, key) : undefined), spec);
  return [{ path: `/spec/${at.join('/')}`, clientConfig }];
}

/** The places that name our service and do not trust it. */
function missingIn(places: readonly Place[], service: WebhookService, encoded: string): string[] {
  return places.filter(({ clientConfig }) => {
    if (!isJsonObject(clientConfig)) return false;
    const named = member(clientConfig, 'service');
    const ours = isJsonObject(named) && named.name === service.name && named.namespace === service.namespace;
    return ours && member(clientConfig, 'caBundle') !== encoded;
  }).map(({ path }) => path);
}
