import { request } from 'node:https';
import { install } from './app';
import { cellsOf, nameOf, without, type Cell } from './cells';
import { installForReal, type Controller, type RealInstall } from './real-install';
import { account, group, namespace, TEAM, type Named } from './real-objects';
import { GUARD_RAILS_FINALIZER, GUARDED_NAMESPACE } from '../../src/azure/annotations';
import { ControllerKinds, WorkloadIdentityMode } from '../../src/operator';
import type { Rule } from '../../src/operator/rbac/rules';
import { hasKubectl } from '../e2e/cluster';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes } from '../e2e/real-kubernetes';
import { atNight } from '../setup/at-night';
import { until } from '../setup/until';

const STORAGE = '/apis/storage.azure.com/v1api20230101/namespaces/team/storageaccounts';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WEBHOOK_CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';
const ROLES = '/apis/rbac.authorization.k8s.io/v1';

const testAtNight = atNight(test, test.skip);

(hasKubectl ? describeWithRealKubernetes : describe.skip)('the installation on a real kube-apiserver', () => {
  let cluster: RealCluster;
  let installed: RealInstall;
  let controller: Controller;
  let owner: string;
  let count = 0;

  const kinds = ControllerKinds.of('resources.azure.com/ResourceGroup', 'storage.azure.com/StorageAccount');
  const manifests = install({ kinds, settings: { workloadIdentityMode: WorkloadIdentityMode.STRICT } }).synth();
  const roles = manifests.filter(({ kind, metadata: { name } }) => (kind === 'ClusterRole' && name.includes('manager')) || kind === 'Role');

  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, contentType?: string) => {
    const { status, text } = await cluster.connection.request({
      method, path, ...(contentType === undefined ? {} : { contentType }), ...(body && { body: JSON.stringify(body) }),
    });
    if (status >= 400 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text}`);
    return status === 404 ? undefined : (JSON.parse(text) as any);
  };
  const get = (path: string) => send('GET', path);
  const patch = (path: string, body: object) => send('PATCH', path, body, 'application/merge-patch+json');
  const readyOf = (object: any): string | undefined =>
    object?.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready')?.status;
  const newName = () => `x${process.pid}${(count += 1)}`;
  const pathOf = (object: Named) => {
    const [api, version] = object.apiVersion.split('/');
    const plural = { ResourceGroup: 'resourcegroups', StorageAccount: 'storageaccounts' }[object.kind]!;
    return `/apis/${api}/${version}/namespaces/${object.metadata.namespace}/${plural}`;
  };
  const create = (object: Named) => send('POST', pathOf(object), object);
  const isReady = (object: Named) => async () => readyOf(await get(`${pathOf(object)}/${object.metadata.name}`)) === 'True';

  beforeAll(async () => {
    cluster = await startReal();
    installed = await installForReal(cluster, manifests);
    await send('POST', '/api/v1/namespaces', namespace(TEAM));
    controller = installed.start();
    await until('the controller leads', () => controller.log().includes(' leads '));
    // A webhook is called by what the API server knows of its authority, a moment after that was written.
    const first = group('first');
    await until('the webhooks answer', () => create(first).then(() => true, () => false));
    owner = first.metadata.name;
    await until('the group is ready', isReady(first));
  });
  afterAll(async () => {
    await installed?.close();
    await cluster?.close();
  });

  test('with exactly these rights: objects become Ready, values are exported, objects are deleted; metrics are for whom they are for', async () => {
    const store = account('mystore', owner);
    await create(store);
    await until('the account is ready', isReady(store));
    expect((await get('/api/v1/namespaces/team/secrets/mystore-keys')).data.key1).toMatch(/.+/);
    expect((await get('/api/v1/namespaces/team/configmaps/mystore-id')).data.id).toMatch(/\/storageAccounts\/mystore$/);
    expect((await get(`${STORAGE}/mystore`)).spec.azureName).toBe('mystore');

    await send('POST', `${ROLES}/clusterrolebindings`, {
      metadata: { name: 'scraper' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'azureserviceoperator-metrics-reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'scraper', namespace: TEAM }],
    });
    for (const name of ['scraper', 'stranger']) await send('POST', '/api/v1/namespaces/team/serviceaccounts', { metadata: { name } });
    expect(await scrape('scraper')).toBe(200);
    expect(await scrape('stranger')).toBe(403);

    await send('DELETE', `${STORAGE}/mystore`);
    await until('it is gone', async () => (await get(`${STORAGE}/mystore`)) === undefined);
    expect(JSON.stringify(await cluster.azure('/__resources'))).not.toContain('storageAccounts/mystore');
    expect(controller.log()).not.toMatch(/is forbidden|cannot (get|list|watch|create|update|patch|delete) resource/);
  });

  test('the emitted rules are those that are taken away here', () => {
    const rules = roles.flatMap((role) => role.rules as Rule[]);
    expect(cellsOf(rules).map(nameOf).sort()).toEqual([...PROVOKED, ...AT_START].flatMap(([names]) => names).sort());
  });

  /** In the order of the list: an event is patched a minute after it was written. */
  const PROVOKED: [name: string, provoke: () => Promise<unknown>, said?: string][] = [
    ['patch resourcegroups.resources.azure.com', () => create(group(newName()))],
    ['update resourcegroups/status.resources.azure.com', () => create(group(newName()))],
    ['patch storageaccounts.storage.azure.com', () => create(account(newName(), owner))],
    ['update storageaccounts/status.storage.azure.com', () => create(account(newName(), owner))],
    ['get storageaccounts.storage.azure.com', () => create(account(newName(), owner))],
    ['create configmaps', () => create(account(newName(), owner))],
    ['update configmaps', () => afterExport('configmaps', 'id', (path) => patch(path, { data: { id: 'wrong' } }))],
    ['get configmaps', () => inConflict()],
    ['create secrets', () => create(account(newName(), owner))],
    ['update secrets', () => afterExport('secrets', 'keys', (path) => patch(path, { data: { key1: 'd3Jvbmc=' } }))],
    ['get secrets', async () => {
      const name = newName();
      // Helm's releases are not watched, so this one is in the way without being known.
      await send('POST', '/api/v1/namespaces/team/secrets', { metadata: { name: `${name}-keys` }, type: 'helm.sh/release.v1' });
      await create(account(name, owner));
    }],
    ['patch secrets', () => inNamespaceWithCredential()],
    ['create serviceaccounts/token', () => inNamespaceWithCredential(), 'may not request tokens of service account'],
    ['create events', () => create(group(newName()))],
    ['patch validatingadmissionpolicies.admissionregistration.k8s.io', () => withoutNamespace('validatingadmissionpolicies', {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
      validations: [{ expression: 'true' }],
    })],
    ['patch validatingadmissionpolicybindings.admissionregistration.k8s.io', () => withoutNamespace('validatingadmissionpolicybindings', {
      policyName: 'none', validationActions: ['Deny'],
    })],
    ['create tokenreviews.authentication.k8s.io', () => scrape('another')],
    ['create subjectaccessreviews.authorization.k8s.io', () => scrape('yet-another')],
    ['patch events', async () => {
      // Each PUT is reported. The same event is written once a minute, and the last one was written when the exporter changed last.
      for (let second = 0; second < 80 && !isDenied('patch events', controller); second += 2) {
        await patch(`${STORAGE}/exporter`, { spec: { tags: { changed: newName() } } });
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }],
  ];

  /** Collections that a starting controller reads independently of each other. */
  const READ_AT_START = [
    'resourcegroups.resources.azure.com',
    'storageaccounts.storage.azure.com',
    'configmaps',
    'secrets',
    'namespaces',
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  ];
  /** Requests that are made when a process starts (and then seldom again). */
  const AT_START: [names: string | readonly string[], prepare?: () => Promise<unknown>][] = [
    ...['list', 'watch'].flatMap((verb): [string | readonly string[]][] => [
      [READ_AT_START.map((resource) => `${verb} ${resource}`)],
      [`${verb} customresourcedefinitions.apiextensions.k8s.io`],
    ]),
    ['list mutatingwebhookconfigurations.admissionregistration.k8s.io'],
    ['list validatingwebhookconfigurations.admissionregistration.k8s.io'],
    ['patch mutatingwebhookconfigurations.admissionregistration.k8s.io', () => distrust('mutatingwebhookconfigurations')],
    ['patch validatingwebhookconfigurations.admissionregistration.k8s.io', () => distrust('validatingwebhookconfigurations')],
    ['get customresourcedefinitions.apiextensions.k8s.io'],
    [
      'patch customresourcedefinitions.apiextensions.k8s.io',
      () => patch(`${CRDS}/storageaccounts.storage.azure.com`, { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } }),
    ],
    ['get leases.coordination.k8s.io'],
    ['update leases.coordination.k8s.io', () => patch(leasePath(), { spec: { holderIdentity: '' } })],
    ['create leases.coordination.k8s.io', () => send('DELETE', leasePath())],
  ];

  testAtNight('each right that a running controller uses is missed when it is taken away', async () => {
    const exporter = account('exporter', owner);
    await create(exporter);
    await until('the exporter is ready', isReady(exporter));
    for (const [name, provoke, said] of PROVOKED) {
      await expectMissed(name, controller, provoke, said);
    }
  });

  testAtNight('each right that a starting controller uses is missed when it is taken away', async () => {
    await controller.kill();
    for (const [names, prepare] of AT_START) {
      await prepare?.();
      const all = [names].flat();
      const restore = await takeAway(...all);
      const next = installed.start();
      for (const name of all) await untilDenied(name, next);
      await next.kill();
      await restore();
    }
  });

  /** A guard rail whose Namespace is gone. */
  async function withoutNamespace(plural: string, spec: object): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/${plural}`;
    const name = newName();
    await send('POST', path, { metadata: { name, finalizers: [GUARD_RAILS_FINALIZER], labels: { [GUARDED_NAMESPACE]: 'gone' } }, spec });
    await send('DELETE', `${path}/${name}`);
  }

  async function expectMissed(name: string, running: Controller, provoke: () => Promise<unknown>, said?: string): Promise<void> {
    const restore = await takeAway(name);
    await provoke();
    await untilDenied(name, running, said);
    await restore();
  }

  /** The API server says which request it refused, and the controller hands it on. */
  async function untilDenied(name: string, running: Controller, said?: string): Promise<void> {
    let ended: string | undefined;
    void running.ended.then((status) => (ended = `status ${status}`));
    const found = until(`somebody misses '${name}'`, () => {
      if (ended !== undefined) throw new Error(`the controller ended with ${ended} before it missed '${name}'`);
      return isDenied(name, running, said);
    });
    await found.catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; its log ends:\n${running.log().slice(-3000)}`);
    });
  }

  /** Every cell is denied in words of its own, so it does not matter what the log has from before. */
  function isDenied(name: string, running: Controller, said?: string): boolean {
    const [verb, resource] = name.split(' ');
    const [plain] = resource!.split('.');
    return running.log().replaceAll('\\"', '"').includes(said ?? `cannot ${verb} resource "${plain}"`);
  }

  /** Takes cells out of every role, and waits until the API server knows. */
  async function takeAway(...names: readonly string[]): Promise<() => Promise<void>> {
    const cells = cellsOf(roles.flatMap((role) => role.rules as Rule[])).filter((each) => names.includes(nameOf(each)));
    const write = (change: (rules: Rule[]) => Rule[]) =>
      Promise.all(
        roles.map(({ kind, metadata, rules }) =>
          patch(
            kind === 'Role' ? `${ROLES}/namespaces/${metadata.namespace}/roles/${metadata.name}` : `${ROLES}/clusterroles/${metadata.name}`,
            { rules: change(rules as Rule[]) },
          ),
        ),
      );
    await write((rules) => cells.reduce((left, cell) => without(left, cell), rules));
    for (const cell of cells) await until(`${nameOf(cell)} is taken away`, async () => !(await mayDo(cell)));
    return async () => {
      await write((rules) => rules);
      for (const cell of cells) await until(`${nameOf(cell)} is given back`, () => mayDo(cell));
    };
  }

  async function mayDo({ group: api, resource: full, verb }: Cell): Promise<boolean> {
    const rules = roles.flatMap((role) => role.rules as Rule[]);
    const rule = rules.find(
      ({ apiGroups, resources, verbs }) => apiGroups.includes(api) && resources.includes(full) && verbs.includes(verb),
    )!;
    const [resource, subresource] = full.split('/');
    const review = await send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: {
        user: 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default',
        resourceAttributes: { group: api, resource, subresource, verb, namespace: installed.namespace, name: rule.resourceNames?.[0] },
      },
    });
    return review.status.allowed === true;
  }

  /** Changes an exported object: the one that exports it writes it again. */
  async function afterExport(plural: string, suffix: string, change: (path: string) => Promise<unknown>): Promise<void> {
    const path = `/api/v1/namespaces/team/${plural}/exporter-${suffix}`;
    await change(path);
    await patch(`${STORAGE}/exporter`, { spec: { tags: { changed: newName() } } });
  }

  /** The owner writes while others do: what it knew is out of date, sooner or later. */
  async function inConflict(): Promise<void> {
    const denied = () => isDenied('get configmaps', controller);
    for (let round = 0; round < 40 && !denied(); round += 1) {
      await afterExport('configmaps', 'id', (path) => patch(path, { data: { id: newName() } }));
      for (let write = 0; write < 20 && !denied(); write += 1) {
        await patch('/api/v1/namespaces/team/configmaps/exporter-id', { data: { id: newName() } });
      }
    }
  }

  async function inNamespaceWithCredential(): Promise<void> {
    const name = newName();
    await send('POST', '/api/v1/namespaces', namespace(name));
    await send('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'aso-workload' } });
    const ids = {
      AZURE_SUBSCRIPTION_ID: '5f0c2f6e-3f5e-4d5b-9a53-0d6c5b8b7f10',
      AZURE_TENANT_ID: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
      AZURE_CLIENT_ID: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
    };
    await send('POST', `/api/v1/namespaces/${name}/secrets`, { metadata: { name: 'aso-credential' }, stringData: ids });
    await create(group(newName(), name));
  }

  async function scrape(serviceAccount: string): Promise<number> {
    await send('POST', '/api/v1/namespaces/team/serviceaccounts', { metadata: { name: serviceAccount } }).catch(() => undefined);
    const token = await installed.token(TEAM, serviceAccount);
    return new Promise((resolve, reject) => {
      // Its certificate is its own.
      const options = {
        host: '127.0.0.1',
        port: installed.ports.metrics,
        path: '/metrics',
        headers: { authorization: `Bearer ${token}` },
        rejectUnauthorized: false,
      };
      request(options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on('error', reject).end();
    });
  }

  async function distrust(plural: string): Promise<void> {
    const { items } = await get(`${WEBHOOK_CONFIGURATIONS}/${plural}`);
    for (const { metadata: { name }, webhooks } of items) {
      const distrusting = webhooks.map((webhook: any) => ({ ...webhook, clientConfig: { ...webhook.clientConfig, caBundle: undefined } }));
      await patch(`${WEBHOOK_CONFIGURATIONS}/${plural}/${name}`, { webhooks: distrusting });
    }
  }

  function leasePath(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${installed.namespace}/leases/controllers-leader-election-azinfra-generated`;
  }
});
