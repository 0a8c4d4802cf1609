import type { ReviewExpressions } from './reviews';
import { listenForReviews } from './webhook-server';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesListWatch } from '../../engine/kubernetes/types';
import { watchDirectory } from '../../runtime/certificates/directory';
import type { ServingCertificate } from '../../runtime/certificates/serving-certificate';
import type { Endpoint } from '../../runtime/http/http-endpoints';
import type { Logger } from '../../runtime/log/log';
import { OwnCertificate } from '../../runtime/webhooks/certificates/own';
import type { WebhookObservation, WebhookServer } from '../../runtime/webhooks/webhook-server';
import type { Catalog } from '../../src/catalog';
import { WEBHOOK_SECRET, WEBHOOK_SERVICE } from '../../src/catalog/webhook-configurations';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { SettingsError, type Environment, type OperatorMode } from '../settings';

export interface AdmissionOptions {
  /** `--webhook-port`; 0 is off. */
  readonly webhookPort?: number | undefined;
  /** `--webhook-cert-dir` */
  readonly webhookCertDir?: string | undefined;
  readonly operatorMode: OperatorMode;
  readonly podNamespace: string;
  readonly environment: Environment;
  readonly catalog: Catalog;
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Evaluates expressions. Default: in this thread. */
  readonly expressions?: ReviewExpressions;
  readonly onBegan?: (webhook: string) => void;
  readonly onRequest?: (request: WebhookObservation) => void;
  /** Called at each look at the certificate's directory. */
  readonly onCertificateRead?: (worked: boolean) => void;
}

const DEFAULT_PORT = 9443;

/**
 * Serves the webhooks if they are enabled: with the certificate of a directory, or with the controller's own. Undefined: webhooks are
 * off. Every replica serves, leader or not. A missing certificate is waited for in the background.
 *
 * @throws SettingsError, ListenError
 */
export async function startAdmission(options: AdmissionOptions): Promise<(Endpoint & { readonly isReady: boolean }) | undefined> {
  const { logger, catalog } = options;
  const wanted = wantedOf(options);
  if (!wanted) {
    if (options.operatorMode !== 'watchers') {
      logger.info('webhooks are not served: give --webhook-cert-dir or --webhook-port to have them; their rules become conditions');
    }
    return undefined;
  }
  const server = await listenForReviews({
    port: wanted.port,
    // Outside of a cluster only this machine connects.
    host: options.environment.KUBERNETES_SERVICE_HOST ? undefined : '127.0.0.1',
    catalog,
    expressions: options.expressions,
    onBegan: options.onBegan,
    onRequest: options.onRequest,
    onError: (path, error) => logger.error({ path, err: error }, 'a webhook could not answer'),
  });
  const end = await startCertificate(server, wanted.directory, options);
  logger.info(
    { port: server.port, certificate: wanted.directory ?? 'own' },
    server.isReady ? 'webhooks are served' : 'webhooks wait for their certificate',
  );
  return {
    port: server.port,
    get isReady() {
      return server.isReady;
    },
    close: () => {
      end();
      return server.close();
    },
  };
}

/** Gives the server each new certificate, of the directory or the controller's own, until the returned function is called. */
async function startCertificate(
  server: WebhookServer, directory: string | undefined, { client, clock, logger, podNamespace, onCertificateRead }: AdmissionOptions,
): Promise<() => void> {
  const onCertificate = (certificate: ServingCertificate) => server.use(certificate);
  const onProblem = (message: string) => logger.error(message);
  if (directory !== undefined) return watchDirectory({ directory, clock, onCertificate, onProblem, onRead: onCertificateRead });
  const service = { namespace: podNamespace, name: WEBHOOK_SERVICE };
  return new OwnCertificate({ client, clock, service, secret: WEBHOOK_SECRET, isOurs: mayBeInCatalog, onCertificate, onProblem }).start();
}

function wantedOf({ operatorMode, webhookPort, webhookCertDir }: AdmissionOptions): { port: number; directory?: string } | undefined {
  if (operatorMode === 'watchers') return undefined;
  if (webhookPort === 0) {
    if (operatorMode === 'webhooks') {
      throw new SettingsError('AZURE_OPERATOR_MODE is webhooks, but --webhook-port 0 turns them off: remove one of the two');
    }
    return undefined;
  }
  if (webhookCertDir) return { port: webhookPort ?? DEFAULT_PORT, directory: webhookCertDir };
  return webhookPort !== undefined || operatorMode === 'webhooks' ? { port: webhookPort ?? DEFAULT_PORT } : undefined;
}
