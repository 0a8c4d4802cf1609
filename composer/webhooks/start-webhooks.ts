import { conversionAnswer } from './conversion';
import { CONVERSION_PATH, webhookSecret, webhookService } from './webhook-names';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesListWatch } from '../../engine/kubernetes';
import type { Endpoint } from '../../runtime/http/http-endpoints';
import type { Logger } from '../../runtime/log/log';
import { ByteBudget } from '../../runtime/webhooks/byte-budget';
import { OwnCertificate } from '../../runtime/webhooks/certificates/own';
import { webhookLimits } from '../../runtime/webhooks/limits';
import { WebhookServer, type WebhookRoute } from '../../runtime/webhooks/webhook-server';
import type { ApiFacts } from '../definition/api-facts';
import { convertedCrds } from '../definition/composer-rights';
import type { Renderer } from '../render/renderer';

export interface ComposerWebhooksOptions {
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string | undefined;
  readonly facts: readonly ApiFacts[];
  readonly renderer: Pick<Renderer, 'convert'>;
  /** Reads and writes the Secret of the certificate, and writes its authority into the CRDs. Every replica does. */
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly clock: Clock;
  /** Of the composer. */
  readonly namespace: string;
  readonly name: string;
  readonly logger: Logger;
}

/**
 * Serves the webhooks of a composer. Every replica does, whether it works or waits: a definition's claims must be readable.
 *
 * @throws ListenError
 */
export async function startWebhooks(options: ComposerWebhooksOptions): Promise<Endpoint> {
  const { port, host, facts, client, clock, namespace, name, logger } = options;
  const server = await WebhookServer.listen({
    port,
    host,
    limits: webhookLimits(),
    routes: routesOf(options),
    onError: (path, error) => logger.error({ path, err: error }, 'a webhook could not answer'),
  });
  const crds = new Set(convertedCrds(facts));
  const end = await new OwnCertificate({
    client,
    clock,
    service: { namespace, name: webhookService(name) },
    secret: webhookSecret(name),
    labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'composer' },
    isOurs: (crd) => crds.has(crd),
    configurations: [],
    onCertificate: (certificate) => server.use(certificate),
    onProblem: (message) => logger.error(message),
  }).start();
  logger.info({ port: server.port }, server.isReady ? 'webhooks are served' : 'webhooks wait for their certificate');
  return {
    port: server.port,
    close: () => {
      end();
      return server.close();
    },
  };
}

function routesOf({ facts, renderer }: ComposerWebhooksOptions): ReadonlyMap<string, WebhookRoute> {
  const { conversionBytes, conversionBytesInFlight, depth } = webhookLimits();
  return new Map([
    [CONVERSION_PATH, {
      handle: (body: Buffer) => conversionAnswer(body, depth, facts, renderer),
      limitBytes: conversionBytes,
      budget: new ByteBudget(conversionBytesInFlight),
    }],
  ]);
}
