import { ComposerMetrics } from '../../../composer/process/composer-metrics';
import { ComposerProcess } from '../../../composer/process/composer-process';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { anonymousAccess } from '../../../engine/kubernetes/connection';
import { silentLogger } from '../../../runtime/log/log';
import { startKubernetes, type SandboxKubernetes } from '../../../sandbox/kubernetes';
import { until } from '../../setup/until';
import { composed, service, SERVICES } from '../composition';

/** Milliseconds. */
const TIMING = { leaseDuration: 1_500, renewDeadline: 1_000, retryPeriod: 200 };
const KIND = { ...SERVICES, composes: [{ group: '', kind: 'ConfigMap' }], reads: [] };
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'services.platform.example.com' },
  spec: {
    group: KIND.group,
    scope: 'Namespaced',
    names: { kind: KIND.kind, plural: KIND.plural },
    versions: [{
      name: KIND.version,
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    }],
  },
};

async function send({ url }: SandboxKubernetes, path: string, object?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}${path}`, object && {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object),
  });
  return await answer.json() as Record<string, unknown>;
}

/** Runs a composer with one claim until it ends. `compose` stands still for so long, and then composes a ConfigMap. */
async function runWith(standstillMs: number): Promise<{ writes: string[]; ended: string }> {
  const writes: string[] = [];
  let isWatched = false;
  const kubernetes = await startKubernetes({
    crds: [],
    intercept: ({ method, path }) => {
      if (method !== 'GET' && isWatched && !path.includes('/leases')) writes.push(`${method} ${path}`);
      return undefined;
    },
  });
  const stop = new AbortController();
  try {
    await send(kubernetes, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', CRD);
    await send(kubernetes, '/apis/platform.example.com/v1/namespaces/default/services', service('api', { settings: true }, 'default'));
    isWatched = true;
    const composer = new ComposerProcess({
      access: anonymousAccess(kubernetes.url),
      kinds: [KIND],
      revision: 'r1',
      renderer: {
        compose: (claim) => {
          // Nothing runs in this thread meanwhile, nor does the timer that would end the leadership.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standstillMs);
          const { rendered } = composed(claim as KubernetesObject);
          const objects = rendered!.objects.filter(({ manifest: { kind } }) => kind === 'ConfigMap');
          return Promise.resolve({ rendered: { ...rendered!, objects }, reads: [] });
        },
        convert: () => Promise.reject(new Error('nothing to convert')),
      },
      facts: [],
      webhookPort: 0,
      admission: false,
      namespace: 'default',
      name: 'composer',
      leaderElect: true,
      metrics: new ComposerMetrics(),
      logger: silentLogger(),
      version: '1.0.0',
      electionTiming: TIMING,
    });
    let ended: string | undefined;
    const running = composer.run(stop.signal).then(() => ended = 'stopped', (error: Error) => ended = error.name);
    await until('the object is made, or the process has ended', () => (
      ended !== undefined || writes.some((write) => write.includes('/configmaps/'))));
    stop.abort();
    return { writes, ended: await running };
  } finally {
    stop.abort();
    await kubernetes.close();
  }
}

test('a process that stands still longer than its term, while it composes, writes nothing after that', async () => {
  expect(await runWith(1_200)).toEqual({ writes: [], ended: 'LeadershipLostError' });
});

test('a process that does not stand still makes the object', async () => {
  const { writes, ended } = await runWith(0);
  expect(writes).toContain('PATCH /api/v1/namespaces/default/configmaps/api-settings');
  expect(ended).toBe('stopped');
});
