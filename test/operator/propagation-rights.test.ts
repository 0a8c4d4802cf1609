import { install } from './app';
import { installForReal, type RealInstall } from './real-install';
import { namespace } from './real-objects';
import { ControllerKinds, Webhooks } from '../../src/operator';
import { hasKubectl } from '../e2e/cluster';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes } from '../e2e/real-kubernetes';
import { until } from '../setup/until';

(hasKubectl ? describeWithRealKubernetes : describe.skip)('the rights for credential propagation, on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let installed: RealInstall;
  const kinds = ControllerKinds.of('resources.azure.com/ResourceGroup', 'managedidentity.azure.com/UserAssignedIdentity');
  const manifests = install({ kinds, webhooks: Webhooks.none(), credentialPropagation: true }).synth();
  const version = manifests
    .find(({ metadata: { name } }) => name === 'userassignedidentities.managedidentity.azure.com')!
    .spec.versions.at(-1).name as string;
  const identities = `/apis/managedidentity.azure.com/${version}/namespaces/platform/userassignedidentities`;

  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const { status, text } = await cluster.connection.request({ method, path, ...(body && { body: JSON.stringify(body) }) });
    if (status >= 400 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status === 404 ? undefined : (JSON.parse(text) as any);
  };

  beforeAll(async () => {
    cluster = await startReal();
    await send('POST', '/api/v1/namespaces', namespace('platform'));
    await send('POST', '/api/v1/namespaces', {
      metadata: { name: 'taker', annotations: { 'aso.cdk8s.io/accepts-credentials-from': 'platform' } },
    });
    await send('POST', '/api/v1/namespaces/taker/serviceaccounts', { metadata: { name: 'app' } });
    installed = await installForReal(cluster, manifests);
  });
  afterAll(async () => {
    await installed?.close();
    await cluster?.close();
  });

  test('suffice to write all kinds of targets, and to take everything back', async () => {
    const controller = installed.start();
    await until('the controller leads', () => controller.log().includes(' leads '));
    const groups = '/apis/resources.azure.com/v1api20200601/namespaces/platform/resourcegroups';
    await send('POST', groups, {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'group' },
      spec: { location: 'uksouth' },
    });
    await send('POST', identities, {
      apiVersion: `managedidentity.azure.com/${version}`,
      kind: 'UserAssignedIdentity',
      metadata: {
        name: 'team',
        annotations: { 'aso.cdk8s.io/propagate-credentials-to': 'Secret/taker/ids,ConfigMap/taker/ids,ServiceAccount/taker/app' },
      },
      spec: { owner: { name: 'group' }, location: 'uksouth' },
    });
    const targets = async () => [
      (await send('GET', '/api/v1/namespaces/taker/secrets/ids'))?.data?.AZURE_CLIENT_ID,
      (await send('GET', '/api/v1/namespaces/taker/configmaps/ids'))?.data?.clientId,
      (await send('GET', '/api/v1/namespaces/taker/serviceaccounts/app'))?.metadata.annotations?.['azure.workload.identity/client-id'],
    ];
    await until('all three are written', async () => (await targets()).every(Boolean));
    await send('DELETE', `${identities}/team`);
    await until('all three are taken back', async () => (await targets()).every((value) => value === undefined));
    expect(controller.log()).not.toMatch(/is forbidden|cannot (get|list|watch|create|update|patch|delete) resource/);
  });
});
