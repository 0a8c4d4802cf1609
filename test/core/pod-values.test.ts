import { Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { account, chart, findings, group, identity } from './kinds';
import { SecretValue } from '../../src/core';
import { Job as AppJob } from '../../src/services/app';
import { ResourceGroup } from '../../src/services/resources';

const web = (scope: Chart, variable: kplus.EnvValue) =>
  new kplus.Deployment(scope, 'web', { containers: [{ image: 'web', envVariables: { A: variable } }] });

test('an output in a pod of another namespace is an error of the workload', () => {
  const scope = chart('platform');
  const id = identity(scope, 'app-id', group(scope));
  const other = new Chart(scope.node.root as Chart, 'other', { namespace: 'shop', disableResourceNameHashes: true });
  web(other, id.output('clientId').envValue);
  expect(findings(scope)).toEqual([
    "[other/web/Resource] Deployment spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef: ConfigMap 'app-id-outputs' is written by 'chart/app-id' in namespace 'platform', and the pods are in 'shop'; pods read ConfigMaps and Secrets of their own namespace only. Move one of the two, or copy the value into the namespace of the pods.",
  ]);
});

test('a wrong key of a Secret of the app is an error, wherever it is read', () => {
  const scope = chart();
  const storage = account(scope, 'sa1', group(scope));
  storage.secretOutput('key1');
  web(scope, SecretValue.fromSecret('sa1-secrets', 'key2').envValue);
  expect(findings(scope)).toEqual([
    expect.stringMatching(/^\[chart\/web\/Resource\] Deployment \S+: Secret 'sa1-secrets' has no key 'key2'; .* Did you mean 'key1'\? It has: key1\.$/),
  ]);
});

test('outputs of the same namespace are fine', () => {
  const scope = chart();
  const id = identity(scope, 'app-id', group(scope));
  web(scope, id.output('clientId').envValue);
  expect(findings(scope)).toEqual([]);
});


test("Azure's Deployment and Job are no workloads", () => {
  const scope = chart();
  const owner = new ResourceGroup(scope, 'group', { location: 'uksouth' });
  new AppJob(scope, 'job', { owner, location: 'uksouth' });
  expect(findings(scope)).toEqual([]);
});
