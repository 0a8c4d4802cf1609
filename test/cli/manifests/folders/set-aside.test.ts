import { join } from 'node:path';
import { group, treeOf } from './tree-of';
import { readManifests } from '../../../../cli/manifests/read-manifests';
import { formatProblem } from '../../../../cli/output/problem';

const OTHERS: Readonly<Record<string, string>> = {
  'docker-compose.yml': 'version: "3"\nservices: {a: {image: b}}\n',
  'workflow.yaml': 'on: push\njobs: {a: {runs-on: x, steps: [{run: "${{ secrets.X }}"}]}}\n',
  'skaffold.yaml': 'apiVersion: skaffold/v4beta1\nkind: Config\nbuild: {}\n',
  'values.yaml': 'a: 1\n',
  'openapi.json': '{"openapi":"3.0.0","paths":{}}',
  'package.json': '{"name":"x"}',
  'arm-resource.json': '{"type":"Microsoft.Storage/storageAccounts","apiVersion":"2025-06-01","name":"a","kind":"StorageV2","properties":{}}',
  'case.yaml': 'schemaVersion: evals.example.com/v1\nkind: Case\nmetadata: {name: a}\nspec: {agent: b}\n',
  'arm-child.json': '{"type":"Microsoft.Storage/storageAccounts/blobServices","apiVersion":"2025-06-01","name":"a/default"}',
  'tsconfig.json': '{ // a comment\n "a": 1 }',
  'index.yaml': 'apiVersion: v1\nentries: {x: [{name: x, version: 1.0.0}]}\ngenerated: "2026-01-01"\n',
  'metadata.yaml': 'apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\nreleaseSeries: []\n',
  'metadata-v1.yaml': 'apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nreleaseSeries: []\n',
  'Chart.yaml': 'apiVersion: v2\nname: x\nversion: 1.0.0\n',
  'kind.yaml': 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: []\n',
  'kubeconfig.yaml': 'apiVersion: v1\nkind: Config\nclusters: []\n',
  'mkdocs.yml': 'a: !!python/name:x.y\n',
  'list.yaml': '- a\n- b\n',
  'kustomization-part.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n',
  'job.yaml': 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}\n',
  'values.enc.yaml': 'a: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\nsops: {version: 3.8.1}\n',
};
delete (OTHERS as Record<string, string>)['Chart.yaml'];

test('what is no Kubernetes object is left aside in one line', () => {
  const root = treeOf({ ...OTHERS, 'a.yaml': group('a'), 'empty.yaml': '# nothing\n---\n' });
  const { manifests, problems, notes } = readManifests([root]);
  expect([problems, manifests.map(({ object }) => object.metadata.name)]).toEqual([[], ['a']]);
  expect(notes?.map(formatProblem)).toEqual([
    `${root}: 20 files have no Kubernetes objects: arm-child.json, arm-resource.json, case.yaml, docker-compose.yml, index.yaml and 15 more; left aside`,
  ]);
});

test.each(Object.entries(OTHERS))('%s, given by its name, is an error', (name, text) => {
  const { manifests, problems } = readManifests([join(treeOf({ [name]: text }), name)]);
  expect([manifests, problems.length]).toEqual([[], 1]);
});

test.each([
  ['a kind without apiVersion', 'kind: ResourceGroup\nmetadata: {name: a}\n'],
  ['an apiVersion without kind', 'apiVersion: resources.azure.com/v1api20200601\nmetadata: {name: a}\n'],
  ['an object without a name', 'apiVersion: v1\nkind: Secret\n'],
  ['an Azure object with a new name each time', 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {generateName: a-}\n'],
  ['an object that is no YAML', 'apiVersion: v1\nkind: [\n'],
  ['an object beside something else', `${group('a')}---\nother: 1\n`],
])('a part of an object stays an error: %s', (_, text) => {
  expect(readManifests([treeOf({ 'a.yaml': text })]).problems).toHaveLength(1);
});

test('a directory of such files alone has no object', () => {
  expect(readManifests([treeOf({ 'values.yaml': 'a: 1\n' })]).problems.map(({ message }) => message)).toEqual(['the directory has no Kubernetes object']);
});
