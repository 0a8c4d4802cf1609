import { parseManifests } from '../../../cli/manifests/manifests';
import type { SandboxOptions } from '../../../cli/sandbox/options';
import { servedKinds } from '../../../cli/sandbox/served-kinds';

const OPTIONS: SandboxOptions = { output: 'text', timeScale: 60, existing: [], controller: true };
const FILE = `
apiVersion: keyvault.azure.com/v1api20230701
kind: Vault
metadata: { name: vault }
spec: { owner: { name: rg }, location: uksouth }
---
apiVersion: network.azure.com/v1api20240301
kind: NetworkInterface
metadata: { name: nic }
spec:
  owner: { name: rg }
  ipConfigurations: [{ name: one, subnet: { reference: { group: network.azure.com, kind: VirtualNetworksSubnet, name: subnet } } }]
---
apiVersion: authorization.azure.com/v1api20220401
kind: RoleAssignment
metadata: { name: role }
spec: { owner: { group: storage.azure.com, kind: StorageAccount, name: data } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: redis.cache.azure.com }
spec: { group: cache.azure.com, names: { kind: Redis } }
---
apiVersion: v1
kind: Secret
metadata: { name: secret }
---
apiVersion: keyvault.azure.com/v1
kind: Unknown
metadata: { name: unknown }
`;
const named = (text: string, options: Partial<SandboxOptions> = {}) =>
  servedKinds(parseManifests(text, 'file.yaml').manifests, { ...OPTIONS, ...options })?.map(({ kind }) => kind).sort();

test('the kinds of the files, of owners, of references and of CRDs', () => {
  expect(named(FILE)).toEqual([
    'NetworkInterface', 'Redis', 'ResourceGroup', 'RoleAssignment', 'StorageAccount', 'Vault', 'VirtualNetworksSubnet',
  ]);
});

test.each<[string, Partial<SandboxOptions>]>([
  ['it stays up', { keep: true }],
  ['a page shows it', { ui: true }],
  ['its kubeconfig is somewhere', { kubeconfig: 'file' }],
  ['a file has its environment', { writeEnv: 'file' }],
  ['its port is known', { kubernetesPort: 8001 }],
  ['another controller works on it', { controller: false }],
])('all where %s', (_, options) => {
  expect(named(FILE, options)).toBeUndefined();
});

test('all where the files have none', () => {
  expect(named('apiVersion: v1\nkind: Secret\nmetadata: { name: secret }\n')).toBeUndefined();
});
