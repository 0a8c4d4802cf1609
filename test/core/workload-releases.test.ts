import { createRequire } from 'node:module';
import * as plus27 from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { chart, findings, group, identity, synth } from './kinds';
import { WorkloadIdentity } from '../../src/core';

// cdk8s-cli brings a newer release of cdk8s-plus; its classes are others than those that the library knows.
const plus33 = createRequire(require.resolve('cdk8s-cli/package.json'))('cdk8s-plus-33') as typeof plus27;

const variables = (scope: Construct) => {
  const { metadata, spec } = synth(scope).find((manifest) => manifest.kind === 'Deployment').spec.template;
  const [container] = spec.containers;
  const mounts = container.volumeMounts?.map(({ mountPath }: { mountPath: string }) => mountPath);
  return { labels: metadata.labels, env: container.env, mounts, volumes: spec.volumes };
};

function bound(plus: typeof plus27, webhook: boolean) {
  const scope = chart();
  const deployment = new plus.Deployment(scope, 'app', {
    serviceAccount: new plus.ServiceAccount(scope, 'account') as plus27.IServiceAccount,
    containers: [{ image: 'app' }],
  });
  const app = identity(scope, 'app-id', group(scope));
  WorkloadIdentity.bind(deployment, { identity: app, issuer: 'https://issuer.example/', webhook, containers: deployment.containers });
  expect(findings(scope)).toEqual([]);
  return variables(scope);
}

test('the releases have different classes', () => expect(plus33.Deployment).not.toBe(plus27.Deployment));

test.each([[true], [false]])('workloads of a newer release get the same, with webhook: %s', (webhook) => {
  expect(bound(plus33, webhook)).toEqual(bound(plus27, webhook));
});

test('a construct without pods is refused', () => {
  const scope = chart();
  expect(() => WorkloadIdentity.bind(new Construct(scope, 'none'), { identity: identity(scope, 'app-id', group(scope)) })).toThrow(
    '[chart/none] is no workload. Give WorkloadIdentity.bind a Deployment, StatefulSet, DaemonSet, Job, CronJob or Pod of cdk8s-plus.',
  );
});
