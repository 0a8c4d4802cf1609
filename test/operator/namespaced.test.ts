import { install } from './app';
import { installForReal, type RealInstall } from './real-install';
import { account, group, namespace, TEAM, type Named } from './real-objects';
import { ControllerKinds, CrdInstallation, Webhooks } from '../../src/operator';
import { hasKubectl } from '../e2e/cluster';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes } from '../e2e/real-kubernetes';
import { until } from '../setup/until';

(hasKubectl ? describeWithRealKubernetes : describe.skip)(
  'rights in one namespace, CRDs installed by the controller, on a real kube-apiserver',
  () => {
    let cluster: RealCluster;
    let installed: RealInstall;

    const kinds = ControllerKinds.of('resources.azure.com/ResourceGroup', 'storage.azure.com/StorageAccount');
    const manifests = install({
      kinds,
      crds: CrdInstallation.CONTROLLER,
      webhooks: Webhooks.none(),
      settings: { targetNamespaces: [TEAM] },
    }).synth();

    const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
      const { status, text } = await cluster.connection.request({ method, path, ...(body && { body: JSON.stringify(body) }) });
      if (status >= 400 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text}`);
      return status === 404 ? undefined : (JSON.parse(text) as any);
    };

    beforeAll(async () => {
      cluster = await startReal();
      await send('POST', '/api/v1/namespaces', namespace(TEAM));
      installed = await installForReal(cluster, manifests);
    });
    afterAll(async () => {
      await installed?.close();
      await cluster?.close();
    });

    test('CRDs are installed, objects of the namespace become Ready and are deleted; nothing is refused', async () => {
      const controller = installed.start();
      const crd = () => send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/storageaccounts.storage.azure.com');
      await until('the CRDs are installed', async () => (await crd())?.spec.names.kind === 'StorageAccount');
      await until('the controller leads', () => controller.log().includes(' leads '));
      const objects: [string, Named][] = [
        [`/apis/resources.azure.com/v1api20200601/namespaces/${TEAM}/resourcegroups`, group('group')],
        [`/apis/storage.azure.com/v1api20230101/namespaces/${TEAM}/storageaccounts`, account('mystore', 'group')],
      ];
      for (const [path, object] of objects) {
        await until(`${object.kind} is taken`, () =>
          send('POST', path, object).then(
            (made) => made !== undefined,
            () => false,
          ),
        );
      }
      for (const [
        path,
        {
          metadata: { name },
        },
      ] of objects) {
        await until(`${name} is ready`, async () => (await send('GET', `${path}/${name}`)).status?.conditions?.[0]?.status === 'True');
      }
      expect((await send('GET', `/api/v1/namespaces/${TEAM}/secrets/mystore-keys`)).data.key1).toMatch(/.+/);
      for (const [
        path,
        {
          metadata: { name },
        },
      ] of [...objects].reverse()) {
        await send('DELETE', `${path}/${name}`);
        await until(`${name} is gone`, async () => (await send('GET', `${path}/${name}`)) === undefined);
      }
      expect(controller.log()).not.toMatch(/is forbidden|cannot (get|list|watch|create|update|patch|delete) resource/);
    });

    test('other namespaces are out of reach', async () => {
      const mayRead = async (inNamespace: string) => (await send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: {
          user: 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default',
          resourceAttributes: { resource: 'secrets', verb: 'list', namespace: inNamespace },
        },
      })).status.allowed as boolean;
      expect([await mayRead(TEAM), await mayRead('default'), await mayRead('kube-system')]).toEqual([true, false, false]);
    });
  });
