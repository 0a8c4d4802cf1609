import { reviewClaim, type ClaimReviewOptions } from './claim-review';
import { conversionAnswer } from './conversion';
import { ADMISSION_PATH, CONVERSION_PATH, webhookSecret, webhookService } from './webhook-names';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesListWatch } from '../../engine/kubernetes';
import { watchDirectory } from '../../runtime/certificates/directory';
import type { ServingCertificate } from '../../runtime/certificates/serving-certificate';
import type { Endpoint } from '../../runtime/http/http-endpoints';
import type { Logger } from '../../runtime/log/log';
import { ByteBudget } from '../../runtime/webhooks/byte-budget';
import { VALIDATING_WEBHOOKS } from '../../runtime/webhooks/certificates/ca-bundles';
import { OwnCertificate } from '../../runtime/webhooks/certificates/own';
import { webhookLimits } from '../../runtime/webhooks/limits';
import { parsed } from '../../runtime/webhooks/review';
import { checkNesting } from '../../runtime/webhooks/review-splitter';
import { WebhookServer, type WebhookObservation, type WebhookRoute } from '../../runtime/webhooks/webhook-server';
import type { ApiFacts } from '../definition/api-facts';
import { convertedCrds } from '../definition/composer-rights';
import type { Renderer } from '../render/renderer';

export interface ComposerWebhooksOptions {
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string | undefined;
  /** Has `tls.crt` and `tls.key`, e.g. a mounted Secret of cert-manager. Default: a certificate of the composer's own. */
  readonly certificateDirectory?: string | undefined;
  readonly facts: readonly ApiFacts[];
  readonly renderer: Pick<Renderer, 'convert'>;
  /** How claims are reviewed; undefined: they are not. */
  readonly admission?: Omit<ClaimReviewOptions, 'budgetMs' | 'onVerdict'> | undefined;
  /** Reads and writes the Secret of the certificate, and writes its authority into the CRDs. Every replica does. */
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly clock: Clock;
  /** Of the composer. */
  readonly namespace: string;
  readonly name: string;
  readonly logger: Logger;
  readonly observer: WebhookObserver;
}

/** Called with what the webhooks do. */
export interface WebhookObserver {
  began(webhook: string): void;
  answered(request: WebhookObservation): void;
  /** A claim was reviewed: `allowed`, `not checked`, or the reason of the refusal. */
  reviewed(kind: string, result: string): void;
  /** The directory of the certificate was read. */
  certificateRead(worked: boolean): void;
}

/** Time for a review, below the 10 seconds that the API server waits. Milliseconds. */
const REVIEW_MS = 8_000;

/**
 * Serves the webhooks of a composer. Every replica does, whether it works or waits: a definition's claims must be readable.
 *
 * @throws ListenError
 */
export async function startWebhooks(options: ComposerWebhooksOptions): Promise<Endpoint> {
  const { port, host, logger, observer } = options;
  const server = await WebhookServer.listen({
    port,
    host,
    limits: webhookLimits(),
    routes: routesOf(options),
    onBegan: (webhook) => observer.began(webhook),
    onRequest: (request) => observer.answered(request),
    onError: (path, error) => logger.error({ path, err: error }, 'a webhook could not answer'),
  });
  const end = await startCertificate(server, options);
  logger.info({ port: server.port }, server.isReady ? 'webhooks are served' : 'webhooks wait for their certificate');
  return {
    port: server.port,
    close: () => {
      end();
      return server.close();
    },
  };
}

/** Gives the server each new certificate, until the returned function is called. */
function startCertificate(server: WebhookServer, options: ComposerWebhooksOptions): Promise<() => void> {
  const { certificateDirectory: directory, facts, client, clock, namespace, name, logger, observer, admission } = options;
  const onCertificate = (certificate: ServingCertificate) => server.use(certificate);
  const onProblem = (message: string) => logger.error(message);
  if (directory !== undefined) {
    return watchDirectory({ directory, clock, onCertificate, onProblem, onRead: (worked) => observer.certificateRead(worked) });
  }
  const crds = new Set(convertedCrds(facts));
  return new OwnCertificate({
    client,
    clock,
    service: { namespace, name: webhookService(name) },
    secret: webhookSecret(name),
    labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'composer' },
    isOurs: (crd) => crds.has(crd),
    configurations: admission ? [VALIDATING_WEBHOOKS] : [],
    onCertificate,
    onProblem,
  }).start();
}

function routesOf({ facts, renderer, admission, observer }: ComposerWebhooksOptions): ReadonlyMap<string, WebhookRoute> {
  const { conversionBytes, conversionBytesInFlight, admissionBytes, admissionBytesInFlight, depth } = webhookLimits();
  const review = async (body: Buffer, options: NonNullable<ComposerWebhooksOptions['admission']>) => {
    checkNesting(body, depth);
    const onVerdict = (kind: string, result: string) => observer.reviewed(kind, result);
    return [Buffer.from(JSON.stringify(await reviewClaim(parsed(body.toString('utf8')), { ...options, onVerdict, budgetMs: REVIEW_MS })))];
  };
  return new Map<string, WebhookRoute>([
    ...(admission ? [[ADMISSION_PATH, {
      handle: (body: Buffer) => review(body, admission),
      limitBytes: admissionBytes,
      budget: new ByteBudget(admissionBytesInFlight),
    }] as const] : []),
    [CONVERSION_PATH, {
      handle: (body: Buffer) => conversionAnswer(body, depth, facts, renderer),
      limitBytes: conversionBytes,
      budget: new ByteBudget(conversionBytesInFlight),
    }],
  ]);
}
