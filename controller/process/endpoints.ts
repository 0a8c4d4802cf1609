import { AccessReview } from './access-review';
import { profilePaths } from './profiles';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient } from '../../engine/kubernetes/types';
import { watchDirectory } from '../../runtime/certificates/directory';
import { makeCertificate } from '../../runtime/certificates/make-certificate';
import type { ServingCertificate } from '../../runtime/certificates/serving-certificate';
import { serve, serveSecurely, type Endpoint, type Mount } from '../../runtime/http/http-endpoints';
import type { Logger } from '../../runtime/log/log';
import type { Metrics } from '../metrics';

export interface EndpointOptions {
  readonly metricsAddr?: string;
  /** Default: false, for programs that run a controller in their own process. The command's default is true. */
  readonly secureMetrics?: boolean;
  readonly metricsCertDir?: string;
  readonly profilingMetrics?: boolean;
  /** Serves the page of the objects at `/ui/` beside the metrics; only with secure metrics. Default: false. */
  readonly ui?: boolean;
  readonly healthAddr?: string;
}

const YEAR = 365 * 24 * 60 * 60 * 1000;

export interface MetricsEndpointOptions extends EndpointOptions {
  readonly metrics: Metrics;
  readonly client: Pick<KubernetesClient, 'create'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The page; undefined: none. */
  readonly page?: ((reviews: AccessReview) => Mount) | undefined;
}

/** Serves `/metrics`: over HTTPS to clients that the cluster authorizes, or over HTTP to all. */
export async function serveMetrics(options: MetricsEndpointOptions): Promise<Endpoint[]> {
  const { metricsAddr, secureMetrics, profilingMetrics, metricsCertDir, metrics, client, clock, logger, page } = options;
  if (!metricsAddr || metricsAddr === '0') return [];
  const { registry } = metrics;
  const paths = { '/metrics': async () => [200, registry.contentType, await registry.metrics()] as const };
  if (!secureMetrics) return [await serve('--metrics-addr', metricsAddr, paths)];
  const reviews = new AccessReview(client, clock, (err) =>
    logger.error({ err }, 'who asks for metrics could not be found out: are tokenreviews and subjectaccessreviews allowed?'),
  );
  const all = { ...paths, ...(profilingMetrics ? profilePaths() : {}) };
  const endpoint = await serveSecurely('--metrics-addr', metricsAddr, all, {
    certificate: await selfSigned(),
    refuse: reviews.refuse.bind(reviews),
    mount: page?.(reviews),
  });
  if (!metricsCertDir) return [endpoint];
  const end = await watchDirectory({
    directory: metricsCertDir,
    clock,
    onCertificate: (certificate: ServingCertificate) => endpoint.use(certificate),
    onProblem: (message) => logger.error(`--metrics-cert-dir: ${message}`),
    onRead: (worked) => metrics.certificateRead(worked),
  });
  return [{
    port: endpoint.port,
    close: () => {
      end();
      return endpoint.close();
    },
  }];
}

/** Used until the directory has a certificate, or without one: clients cannot verify it, but the connection is encrypted. */
async function selfSigned(): Promise<ServingCertificate> {
  const { cert, key } = await makeCertificate(['localhost', '127.0.0.1'], Date.now(), YEAR);
  return { cert, key };
}
