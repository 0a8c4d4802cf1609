import { startBackground } from './background/background';
import { wallClock } from './clock';
import { Api } from './http/api';
import { Listener } from './http/listener';
import { kubeconfigFor } from './kubeconfig';
import { azureNameDefaulting } from './operations/azure-name';
import { Writer } from './operations/writer';
import type { KubernetesOptions, SandboxKubernetes } from './options';
import { installCrds } from './resources/catalog-crds';
import { Registry } from './resources/registry';
import { ServiceAccountTokens } from './service-account-tokens';
import { Store } from './storage/store';
import { Catalog } from '../../src/catalog';
import type { Kind } from '../../src/catalog';

const DEFAULT_HISTORY = 5000;
const DEFAULT_BOOKMARK_INTERVAL = 30_000;
/** Of Kubernetes' own namespace controller. */
const NAMESPACE_GRACE_PERIOD = 5_000;
/** Of kubeadm's clusters. */
const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Starts a Kubernetes API in this process, with the CRDs of the catalog's kinds. Everything is in memory.
 *
 * The parts that are left out: `docs/sandbox.md`.
 */
export async function startKubernetes(options: KubernetesOptions = {}): Promise<SandboxKubernetes> {
  const clock = options.clock ?? wallClock;
  const host = options.host ?? '127.0.0.1';
  const store = new Store(clock, options.historyLength ?? DEFAULT_HISTORY);
  const registry = new Registry(store);
  const writer = new Writer(store, registry, clock, options.defaultAzureName ? azureNameDefaulting(Catalog.default()) : undefined);
  const stopBackground = startBackground(store, registry, writer, clock, options.namespaceGracePeriod ?? NAMESPACE_GRACE_PERIOD);
  for (const name of NAMESPACES) createNamespace(writer, registry, name);
  installCrds(store, options.crds ?? allKinds(), options.versions, clock.now());
  const tokens = new ServiceAccountTokens(options.issuer ?? DEFAULT_ISSUER, clock);
  const api = new Api(store, registry, writer, clock, options.bookmarkInterval ?? DEFAULT_BOOKMARK_INTERVAL, tokens);
  const listener = await Listener.open(api, host, options.port ?? 0, options.intercept);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  return {
    url,
    store,
    tokens,
    kubeconfig: () => kubeconfigFor(url),
    close: async () => {
      stopBackground();
      await listener.close();
    },
  };
}

const allKinds = (): Kind[] => Catalog.default().allKinds;

function createNamespace(writer: Writer, registry: Registry, name: string): void {
  const target = { ...registry.find('', 'v1', 'namespaces')!, namespace: '', name: '' };
  writer.create(target, { metadata: { name } }, { dryRun: false, fieldValidation: 'Ignore', force: false });
}
