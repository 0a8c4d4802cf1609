// The embedded Kubernetes API in a process of its own, for measurements. Usage: kubernetes.ts JSON. Prints one line of JSON once it
// listens; ends on SIGTERM. SIGUSR2 compacts the history: watches that have to begin again are answered 410.
import { startKubernetes } from '../../../../sandbox/kubernetes';
import { Catalog } from '../../../../src/catalog';

interface Options {
  /** `group/Kind`; absent: all of the catalog. */
  readonly kinds?: readonly string[];
  /** The longest that a watch lasts, whatever its client asks for. */
  readonly watchSeconds?: number;
}

async function main(): Promise<void> {
  const { kinds, watchSeconds } = JSON.parse(process.argv[2] ?? '{}') as Options;
  const crds = kinds && Catalog.default().allKinds.filter(({ group, kind }) => kinds.includes(`${group}/${kind}`));
  const kubernetes = await startKubernetes({
    crds,
    intercept:
      watchSeconds === undefined
        ? undefined
        : ({ query }) => {
          if (query.has('watch')) {
            query.set('timeoutSeconds', String(Math.min(Number(query.get('timeoutSeconds') ?? watchSeconds), watchSeconds)));
          }
          return undefined;
        },
  });
  process.on('SIGUSR2', () => kubernetes.store.compact());
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ pid: process.pid, url: kubernetes.url, kubeconfig: kubernetes.kubeconfig() })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`kubernetes: ${String(error)}\n`);
  process.exit(1);
});
