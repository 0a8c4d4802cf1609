import { readFile } from 'node:fs/promises';
import { revisionOf } from './bundle/bundle-header';
import { ComposerMetrics } from './process/composer-metrics';
import { ComposerProcess } from './process/composer-process';
import { Renderer } from './render/renderer';
import type { ReflectorTiming } from '../engine/informers';
import { loadClusterAccess, type ClusterAccess, type ObjectEvent } from '../engine/kubernetes';
import type { LeaderElectorOptions } from '../runtime/leader';
import { silentLogger, type Logger } from '../runtime/log/log';

export interface RunComposerOptions {
  /** The file that `cdk8s-aso api build` has written. */
  readonly bundleFile: string;
  /** A directory from which the bundle's cdk8s, constructs and cdk8s-aso are resolved. Default: the package of this program. */
  readonly modulesFrom?: string | undefined;
  /** The cluster. Default: that of `kubeconfig`. */
  readonly access?: ClusterAccess | undefined;
  readonly kubeconfig?: string | undefined;
  /** Namespace of the Leases. Default: POD_NAMESPACE, then that of the kubeconfig or the pod, then `default`. */
  readonly namespace?: string | undefined;
  /** Name of this composer. Default: `composer`. */
  readonly name?: string | undefined;
  /** Default: true. */
  readonly leaderElect?: boolean | undefined;
  /** Threads that run `compose`. Default: 2. */
  readonly threads?: number | undefined;
  /** Port of the webhooks. Default: 0, no webhooks. */
  readonly webhookPort?: number | undefined;
  /** Directory with `tls.crt` and `tls.key` of the webhooks. Default: the composer makes a certificate, and keeps it in a Secret. */
  readonly webhookCertDir?: string | undefined;
  /** Whether claims are reviewed before they are stored. Default: false. */
  readonly admission?: boolean | undefined;
  readonly metricsAddr?: string | undefined;
  readonly healthAddr?: string | undefined;
  readonly logger?: Logger | undefined;
  /** Version of cdk8s-aso. */
  readonly version: string;
  /** Called for each event of a claim. */
  readonly onClaim?: ((event: ObjectEvent) => void) | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  readonly electionTiming?: LeaderElectorOptions['timing'];
}

/** The bundle's file cannot be read. */
export class BundleFileError extends Error {
  public constructor(file: string, cause: unknown) {
    super(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.name = 'BundleFileError';
  }
}

/**
 * Runs a composer until the signal aborts: watches the claims of the bundle's kinds, and keeps what they compose.
 *
 * @throws BundleFileError, BundleError, KubeconfigError, ListenError before anything was done; LeadershipLostError
 */
export async function runComposer(options: RunComposerOptions, signal: AbortSignal): Promise<void> {
  const { bundleFile, modulesFrom, threads, kubeconfig, name = 'composer', leaderElect = true, version, logger = silentLogger() } = options;
  const { metricsAddr, healthAddr, onClaim, timing, electionTiming } = options;
  const code = await readFile(bundleFile, 'utf8').catch((error: unknown) => {
    throw new BundleFileError(bundleFile, error);
  });
  const metrics = new ComposerMetrics();
  if (metricsAddr !== undefined && metricsAddr !== '0') metrics.collectProcess();
  const renderer = new Renderer({
    bundleFile,
    ...(modulesFrom === undefined ? {} : { modulesFrom }),
    ...(threads === undefined ? {} : { threads }),
    onJob: (observation) => metrics.composed(observation),
  });
  try {
    const facts = await renderer.describe();
    const access = options.access ?? (await loadClusterAccess({ path: kubeconfig }));
    const composer = new ComposerProcess({
      access,
      kinds: facts.map(({ versions: [{ name: of }], ...kind }) => ({ ...kind, version: of })),
      revision: revisionOf(code),
      renderer,
      facts,
      webhookPort: options.webhookPort ?? 0,
      webhookCertDir: options.webhookCertDir,
      admission: options.admission ?? false,
      namespace: options.namespace ?? process.env.POD_NAMESPACE ?? access.namespace ?? 'default',
      name,
      leaderElect,
      metrics,
      logger,
      version,
      ...(metricsAddr === undefined ? {} : { metricsAddr }),
      ...(healthAddr === undefined ? {} : { healthAddr }),
      ...(onClaim && { onClaim }),
      ...(timing && { timing }),
      ...(electionTiming && { electionTiming }),
    });
    await composer.run(signal);
  } finally {
    await renderer.close();
  }
}
