import { CaBundles, type WebhookClients } from './ca-bundles';
import { nextState, storedIn, withStored, type StoredCertificate } from './stored-certificate';
import type { Clock } from '../../../engine/clock';
import {
  KubernetesError,
  type KubernetesClient,
  type KubernetesListWatch,
  type KubernetesObject,
  type ResourceType,
} from '../../../engine/kubernetes/types';
import { REPLACED_CERTIFICATE } from '../../../src/azure/annotations';
import { validityOf } from '../../certificates/check-certificate';
import type { ServingCertificate } from '../../certificates/serving-certificate';

export interface OwnCertificateOptions extends WebhookClients {
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly clock: Clock;
  /** Name of the Secret (`kubernetes.io/tls`) in the Service's namespace. */
  readonly secret: string;
  /** Of the Secret. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly onCertificate: (certificate: ServingCertificate) => void;
  /** Called once for each problem in a row. */
  readonly onProblem: (message: string) => void;
  /** Names to serve besides the Service's, for tests. */
  readonly moreNames?: readonly string[];
}

function hasExpired({ current }: StoredCertificate, now: number): boolean {
  const validity = validityOf(current.cert);
  return validity !== undefined && validity.to <= now;
}

/** The Secret becomes the controller's own; cert-manager takes it back by issuing a certificate. */
function withoutCertManager(secret: KubernetesObject): KubernetesObject {
  const { [CERT_MANAGER]: replaced, ...annotations } = secret.metadata.annotations ?? {};
  if (replaced === undefined) return secret;
  return { ...secret, metadata: { ...secret.metadata, annotations: { ...annotations, [REPLACED_CERTIFICATE]: replaced } } };
}

const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
/** The annotation of Secrets that cert-manager makes. */
const CERT_MANAGER = 'cert-manager.io/certificate-name';
const INTERVAL = 30_000;
const FIRST_RETRY = 2_000;

/**
 * Makes the certificate of the webhooks, stores it in a Secret, renews it in time, and has all clients trust it. All replicas do the same
 * at the same time: of two that write the Secret, the API server refuses one, which then uses the other's.
 */
export class OwnCertificate {
  private readonly bundles: CaBundles;
  private readonly names: readonly string[];
  private readonly logged = new Set<string>();
  private problems = new Set<string>();
  private trusted: string | undefined;
  /** Whether objects into which cert-manager injects trust this certificate as well: cert-manager does not work. */
  private injects = false;
  private ended = false;
  private failures = 0;
  private cancel?: () => void;

  public constructor(private readonly options: OwnCertificateOptions) {
    const { client, service: { name, namespace }, moreNames = [] } = options;
    this.bundles = new CaBundles(client, options, (message) => this.complain(message));
    this.names = [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`, ...moreNames];
  }

  /** Checks at once, and then at intervals. Resolves with the function that stops the checks. */
  public async start(): Promise<() => void> {
    await this.look();
    return () => {
      this.ended = true;
      this.cancel?.();
    };
  }

  /** One check: read, renew if due, serve, have the clients trust it. */
  public async tick(): Promise<boolean> {
    const secret = await this.read();
    const stored = secret && storedIn(secret);
    const now = this.options.clock.now();
    // Owned by cert-manager: serve it, and do not write it. One that has expired shows that cert-manager does not renew it.
    if (secret?.metadata.annotations?.[CERT_MANAGER] && !(stored && hasExpired(stored, now))) return this.take(stored);
    const own = secret && withoutCertManager(secret);
    this.injects = own?.metadata.annotations?.[REPLACED_CERTIFICATE] !== undefined;
    const next = await nextState(stored, this.names, now, stored !== undefined && this.trusted === stored.bundle);
    return this.take(next ? await this.write(own, next) : stored);
  }

  private async look(): Promise<void> {
    this.problems = new Set();
    let complete = false;
    try {
      complete = await this.tick();
    } catch (error) {
      this.complain(`the certificate of the webhooks could not be had: ${(error as Error).message}`);
    }
    for (const message of this.logged) if (!this.problems.has(message)) this.logged.delete(message);
    this.failures = complete ? 0 : this.failures + 1;
    const delay = complete ? INTERVAL : Math.min(FIRST_RETRY * 2 ** (this.failures - 1), INTERVAL);
    if (!this.ended) this.cancel = this.options.clock.schedule(delay, () => void this.look());
  }

  private async take(stored: StoredCertificate | undefined): Promise<boolean> {
    if (!stored || this.ended) return false;
    this.options.onCertificate(stored.current);
    if (stored.bundle === '') return false;
    const complete = await this.bundles.write(stored.bundle, this.injects);
    this.trusted = complete ? stored.bundle : undefined;
    return complete;
  }

  private read(): Promise<KubernetesObject | undefined> {
    return this.options.client.get(SECRETS, this.options.secret, this.options.service.namespace);
  }

  /** Returns the stored certificate: ours, or that of a faster replica. */
  private async write(secret: KubernetesObject | undefined, state: StoredCertificate): Promise<StoredCertificate | undefined> {
    const {
      client,
      service: { namespace },
      secret: name,
      labels,
    } = this.options;
    const fresh: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name, namespace, ...(labels && { labels }) },
    };
    try {
      await (secret ? client.replace(SECRETS, withStored(secret, state)) : client.create(SECRETS, withStored(fresh, state)));
      return state;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
      const other = await this.read();
      return other && storedIn(other);
    }
  }

  private complain(message: string): void {
    this.problems.add(message);
    if (this.logged.has(message) || this.ended) return;
    this.logged.add(message);
    this.options.onProblem(message);
  }
}
