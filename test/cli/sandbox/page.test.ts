import { SandboxCluster } from '../../../cli/sandbox/cluster';
import { SandboxPage } from '../../../cli/sandbox/served-page';
import type { WireSnapshot } from '../../../page/wire';
import { azure, READY } from '../../engine/inspect/snapshots';
import { LiveCluster } from '../status/live-cluster';

test('the page of a sandbox shows its objects until it is closed', async () => {
  const live = await LiveCluster.start('ResourceGroup');
  const cluster = await SandboxCluster.connect(live.kubernetes.url);
  const problems: string[] = [];
  try {
    const { uid, creationTimestamp, ...metadata } = azure('ResourceGroup', 'shop', { ready: READY }).metadata;
    await live.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, {
      ...azure('ResourceGroup', 'shop', { ready: READY, spec: { location: 'westeurope' } }), metadata,
    });
    const page = await SandboxPage.serve(cluster, {}, (why) => problems.push(why));
    const { origin, hash } = new URL(page.url);
    const read = () => fetch(`${origin}/api/snapshot`, { headers: { authorization: `Bearer ${hash.slice('#token='.length)}` } });
    let answer = await read();
    for (let left = 200; answer.status === 404 && left > 0; left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await read();
    }
    const { nodes, summary } = await answer.json() as WireSnapshot;
    expect([summary.title, nodes.map(({ name }) => name)]).toEqual(['sandbox', ['shop']]);
    await page.close();
    await expect(read()).rejects.toThrow();
    expect(problems).toEqual([]);
  } finally {
    await cluster.close();
    await live.close();
  }
});
