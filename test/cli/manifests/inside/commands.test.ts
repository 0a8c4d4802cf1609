import { join } from 'node:path';
import { runCommandLine } from '../../../../cli/command-line';
import { captured, filesIn } from '../../capture';

const objects = [
  'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: shop, namespace: shop }\nspec: { location: uksouth }\n',
  'apiVersion: containerservice.azure.com/v1api20240901\nkind: ManagedCluster\nmetadata: { name: shop, namespace: shop }\nspec: { location: uksouth, owner: { name: shop }, dnsPrefix: shop }\n',
  'apiVersion: containerservice.azure.com/v1api20240901\nkind: ManagedClustersAgentPool\nmetadata: { name: shop-pool0, namespace: shop }\nspec: { azureName: pool0, owner: { name: shop }, mode: System, vmSize: Standard_D2s_v5 }\n',
];
const kinds = ['AzureASOManagedCluster', 'AzureASOManagedControlPlane', 'AzureASOManagedMachinePool'];
/** As people write them: without a namespace of their own. */
const inCapz = (kind: string, object: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: ${kind}\nmetadata: { name: shop, namespace: shop }\nspec:\n  resources:\n${
  object.replace(', namespace: shop', '').trimEnd().replace(/^/gm, '    ').replace(/^ {4}/, '  - ')}\n`;
const PLAIN = objects.join('---\n');
const CAPZ = objects.map((object, index) => inCapz(kinds[index]!, object)).join('---\n');
const DEFINITION = 'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: rgd }\nspec:\n  resources:\n  - id: group\n    template:\n      apiVersion: resources.azure.com/v1api20200601\n      kind: ResourceGroup\n      metadata: { name: \'${schema.spec.name}\' }\n      spec: { location: uksouth }\n  - id: identity\n    template:\n      apiVersion: managedidentity.azure.com/v1api20230131\n      kind: UserAssignedIdentity\n      metadata: { name: \'${schema.spec.name}-id\' }\n      spec: { location: uksouth, owner: { name: \'${group.metadata.name}\' } }\n';

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(args, '0.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const fileOf = (text: string) => join(filesIn({ 'f.yaml': text }), 'f.yaml');
const both = async (command: string[]) => [await run(...command, fileOf(PLAIN)), await run(...command, fileOf(CAPZ))] as const;

test('plan: the same requests, with the tool that applies the objects', async () => {
  const [plain, capz] = await both(['plan', '--output', 'json']);
  const requests = JSON.parse(capz.out) as { inside?: { kind: string; by: string } }[];
  expect(requests.map(({ inside, ...request }) => request)).toEqual(JSON.parse(plain.out));
  expect(requests.map(({ inside }) => [inside?.kind, inside?.by])).toEqual(kinds.map((kind) => [kind, 'Cluster API Provider Azure']));
  const text = (await run('plan', fileOf(CAPZ))).out;
  expect(text).toContain('# ManagedCluster shop/shop in AzureASOManagedControlPlane shop/shop (');
  expect(text).toContain('# Cluster API Provider Azure applies it: the version, the networks, the agent pools and the kubeconfig of its Cluster are added');
});

test.each([['graph'], ['capacity'], ['crds', '--output', 'json'], ['crds', '--pattern']])('%s %s: the same', async (...command) => {
  const [plain, capz] = await both(command);
  expect(capz).toEqual(plain);
  expect(plain.status).toBe(0);
});

test('diff: an object that moves into another one is the same object', async () => {
  const { out } = await run('diff', '--output', 'json', fileOf(PLAIN), fileOf(CAPZ));
  expect(JSON.parse(out)).toMatchObject({ resources: [], roles: [], credentials: [] });
});

test('an object of its own and one in another one are one object, and stand twice', async () => {
  const { err } = await run('plan', fileOf(`${PLAIN}---\n${CAPZ}`));
  expect(err.join('\n')).toContain('ManagedCluster shop/shop in AzureASOManagedControlPlane shop/shop: stands already in ');
});

test('a template: its kinds are needed and its objects drawn, and nothing is sent', async () => {
  const file = fileOf(DEFINITION);
  const plan = await run('plan', file);
  expect(plan.out).toContain(`(${file}:13): is a template: kro applies what is made of it`);
  expect(plan.out).toContain('Plan: 0 resources to create or update, 2 objects without a request.');
  expect(JSON.parse((await run('plan', '--output', 'json', file)).out)).toEqual([]);
  expect((await run('graph', file)).out).toMatch(/ResourceGroup \$\{schema\.spec\.name\}\n\s+└─ UserAssignedIdentity \$\{schema\.spec\.name\}-id/);
  expect((await run('crds', '--pattern', file)).out).toContain('managedidentity.azure.com/UserAssignedIdentity');
  expect((await run('capacity', file)).out).not.toContain('2 objects');
  expect((await run('check', '--strict', file)).out).toBe('Check: 3 objects, nothing to say.');
});

test('templates are made more than once: what is in several of them is no conflict', async () => {
  const second = DEFINITION.replace('name: rgd', 'name: other');
  for (const command of ['check', 'plan', 'graph']) {
    const { status, err, out } = await run(command, fileOf(`${DEFINITION}---\n${second}`));
    expect([command, status, err.filter((line) => !line.startsWith('note: ')), out.includes('error')]).toEqual([command, 0, [], false]);
  }
});
