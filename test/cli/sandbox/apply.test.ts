import { parseManifests } from '../../../cli/manifests/manifests';
import { applyManifests, leftOutText } from '../../../cli/sandbox/apply';
import type { SandboxCluster } from '../../../cli/sandbox/cluster';

/** A cluster that serves some kinds. */
function clusterOf(...kinds: string[]) {
  const applied: string[] = [];
  const cluster = {
    typeOf: ({ kind }: { kind: string }) => (kinds.includes(kind) ? { namespaced: kind !== 'Namespace' } : undefined),
    apply: (_: unknown, { kind, metadata }: { kind: string; metadata: { name: string } }) => {
      applied.push(`${kind} ${metadata.name}`);
      return Promise.resolve([]);
    },
  };
  return { cluster: cluster as unknown as SandboxCluster, applied };
}

const FILE = [
  'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg, namespace: made-elsewhere}\n',
  'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGruop\nmetadata: {name: typo}\n',
  'apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: a}\n',
  'apiVersion: capsule.clastix.io/v1beta2\nkind: Tenant\nmetadata: {name: b}\n',
].join('---\n');

test('objects of other tools are left out in a line, and the namespaces that they make are made', async () => {
  const { cluster, applied } = clusterOf('Namespace', 'ResourceGroup');
  const { leftOut, problems } = await applyManifests(cluster, parseManifests(FILE, 'a.yaml').manifests);
  expect(applied).toEqual(['Namespace made-elsewhere', 'ResourceGroup rg']);
  expect(problems.map(({ object, message }) => [object, message])).toEqual([
    ['ResourceGruop typo', 'no matches for kind "ResourceGruop" in version "resources.azure.com/v1api20200601"'],
  ]);
  expect(leftOutText(leftOut)).toBe('2 objects of kinds that the sandbox does not serve are left out: Tenant');
});
