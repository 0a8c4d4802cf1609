import { boxCode, boxOf, claimOf, composed, rendererOf, VERSIONS } from './bundles';
import { headerLine } from '../../../composer/bundle/bundle-header';
import { QueueFullError } from '../../../engine/workers/errors';

describe('a composition', () => {
  test('has the objects in the namespace of the claim, with the paths of their constructs', async () => {
    const { rendered } = await composed("configMap(scope, 'settings', { data: { size: String(claim.spec.size) } });", {}, { size: 3 });
    expect(rendered).toEqual({
      objects: [{
        manifest: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: expect.stringMatching(/^team-a-orders-settings-[0-9a-f]{8}$/), namespace: 'team-a' },
          data: { size: '3' },
        },
        path: 'team-a/orders/settings',
        wave: 0,
      }],
      outputs: {},
      links: {},
      logs: [],
    });
  });

  test('gets the defaults of the schema, and what the user wrote as metadata', async () => {
    const compose = 'return { outputs: { claim: JSON.stringify({ ...claim, now: Date.now(), at: new Date() }) } };';
    const renderer = boxOf({ compose, validate: 'return { value: { size: 1, ...value } };' });
    const metadata = {
      labels: { 'tier': 'gold', 'applyset.kubernetes.io/id': 'x' },
      annotations: { 'note': 'n', 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'composer.aso.cdk8s.io/state': 's' },
    };
    const { rendered } = await renderer.compose(claimOf({ name: 'n' }, metadata));
    expect(JSON.parse((rendered!.outputs.claim as { readonly value: string }).value)).toEqual({
      name: 'orders',
      namespace: 'team-a',
      uid: '7',
      labels: { tier: 'gold' },
      annotations: { note: 'n' },
      createdAt: '2026-01-02T03:04:05.000Z',
      spec: { size: 1, name: 'n' },
      now: Date.parse('2026-01-02T03:04:05Z'),
      at: '2026-01-02T03:04:05.000Z',
    });
  });

  test('has outputs, links and readiness', async () => {
    const compose = `
      const one = configMap(scope, 'one');
      return {
        outputs: {
          text: 't', count: 2, on: true,
          later: ComposedValue.fromObject(one, 'self.data.x'),
          exported: ComposedValue.fromConfigMap({ configMapName: 'ids', key: 'clientId' }, claim.namespace),
        },
        links: { portal: 'https://portal.azure.com/' },
        readiness: [{ object: one, cel: 'has(self.data)' }],
      };`;
    const { rendered } = await composed(compose);
    const { name } = rendered!.objects[0]!.manifest.metadata;
    expect(rendered!.outputs).toEqual({
      text: { value: 't' },
      count: { value: 2 },
      on: { value: true },
      later: { object: { group: '', kind: 'ConfigMap', namespace: 'team-a', name }, cel: 'self.data.x' },
      exported: { configMap: { namespace: 'team-a', name: 'ids', key: 'clientId' } },
    });
    expect(rendered!.links).toEqual({ portal: 'https://portal.azure.com/' });
    expect(rendered!.objects[0]!.readiness).toBe('has(self.data)');
  });

  test('has keys of ConfigMaps as outputs where the definition says so, and so has the right', async () => {
    const compose = "return { outputs: { id: ComposedValue.fromConfigMap({ configMapName: 'ids', key: 'id' }, 'platform') } };";
    const composes = "composes: [{ group: '', kind: 'Namespace' }]";
    const refused = await composed(compose, { more: composes });
    expect(refused.problem).toMatchObject({
      reason: 'ComposeFailed', message: 'outputs.id is a key of a ConfigMap, which the composer may not read: give the definition configMapOutputs: true',
    });
    const { rendered } = await composed(compose, { more: `${composes}, configMapOutputs: true` });
    expect(rendered?.outputs).toEqual({ id: { configMap: { namespace: 'platform', name: 'ids', key: 'id' } } });
  });

  test('has waves: owners, what specs read, dependencies, namespaces', async () => {
    const compose = `
      const { ResourceGroup } = require('cdk8s-aso/resources');
      const { StorageAccount } = require('cdk8s-aso/storage');
      configMap(scope, 'pods').node.addDependency(
        new StorageAccount(scope, 'account', {
          owner: new ResourceGroup(scope, 'group', { location: 'westeurope' }),
          azureName: 'orders', location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' },
        }));
      const pod = { spec: { containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'settings' } }] }] } };
      new ApiObject(scope, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: pod } });
      configMap(scope, 'settings', { metadata: { name: 'settings' } });
      configMap(scope, 'elsewhere', { metadata: { namespace: 'made' } });
      new ApiObject(scope, 'made', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } });`;
    const { rendered } = await composed(compose);
    const waves = rendered!.objects.map(({ path, wave }) => [path.split('/').at(-1), wave]);
    expect(Object.fromEntries(waves)).toEqual({ pods: 2, account: 1, group: 0, web: 1, settings: 0, elsewhere: 1, made: 0 });
  });

  test('leaves the namespace out of cluster-scoped kinds', async () => {
    const { rendered } = await composed("new ApiObject(scope, 'n', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } });");
    expect(rendered!.objects[0]!.manifest.metadata).toEqual({ name: 'made' });
  });

  test('of a cluster-scoped claim needs the namespaces of its objects', async () => {
    const renderer = boxOf({ compose: "configMap(scope, 'a', claim.spec);", more: 'namespaced: false,' });
    const claim = (spec: object) => claimOf(spec, { namespace: undefined });
    await expect(renderer.compose(claim({ metadata: { namespace: 'b', name: 'n' } }))).resolves.toMatchObject({
      rendered: { objects: [{ path: 'cluster/orders/a', manifest: { metadata: { namespace: 'b', name: 'n' } } }] },
    });
    await expect(renderer.compose(claim({}))).resolves.toEqual({
      problem: { reason: 'ComposeFailed', message: 'the object has no namespace, and the claim is cluster-scoped: give metadata.namespace', path: 'cluster/orders/a' },
      reads: [],
    });
  });

  test('has what it wrote to the console, up to 100 lines', async () => {
    const { rendered } = await composed("console.log('size', { a: 1 }); process.stderr.write('raw'); for (let i = 0; i < 500; i++) console.warn(i);");
    expect(rendered!.logs.slice(0, 3)).toEqual(['size {"a":1}', 'raw', '0']);
    expect(rendered!.logs).toHaveLength(100);
  });

  test('is checked as synth checks it', async () => {
    const compose = `
      const { StorageAccount } = require('cdk8s-aso/storage');
      new StorageAccount(scope, 'account', {
        owner: { armId: '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g' },
        azureName: 'Not-A-Name', location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' },
      });`;
    const { problem } = await composed(compose);
    expect(problem).toMatchObject({ reason: 'ComposeFailed', path: 'team-a/orders/account', message: expect.stringContaining("'Not-A-Name'") });
  });
});

describe('older versions', () => {
  const more = `olderVersions: [olderVersion({
    version: 'v1alpha1', schema: schemaOf((value) => typeof value.name === 'string' ? { value } : { issues: [{ message: 'expected a text', path: ['name'] }] }),
    upgrade: ({ name }) => ({ names: [name] }), downgrade: ({ names }) => ({ name: names[0] }),
  })],`;
  const renderer = () => boxOf({ compose: 'return { outputs: { names: claim.spec.names.join() } };', more });

  test('are composed by the new one', async () => {
    const claim = { ...claimOf({ name: 'a' }), apiVersion: 'platform.example.com/v1alpha1' };
    await expect(renderer().compose(claim)).resolves.toMatchObject({ rendered: { outputs: { names: { value: 'a' } } } });
  });

  test('are converted, each spec for itself', async () => {
    const of = (from: string, to: string, specs: readonly unknown[]) =>
      renderer().convert({ group: 'platform.example.com', kind: 'Box', from, to, specs });
    await expect(of('v1alpha1', 'v1', [{ name: 'a' }, { name: 3 }])).resolves.toEqual([
      { spec: { names: ['a'] } },
      // It is stored already, and has to be readable.
      { spec: { names: [3] } },
    ]);
    await expect(of('v1', 'v1alpha1', [{ names: ['a', 'b'] }, {}])).resolves.toEqual([
      { spec: { name: 'a' } },
      { problem: expect.objectContaining({ reason: 'ComposeFailed', message: expect.stringContaining('downgrade to v1alpha1') }) },
    ]);
    await expect(of('v1alpha1', 'v1', [JSON.parse('{"__proto__": {}}')])).resolves.toMatchObject([{ problem: { reason: 'InvalidSpec' } }]);
    await expect(of('v1', 'v7', [{}])).resolves.toMatchObject([{ problem: { message: 'Box has no version v7' } }]);
  });
});

describe('a bundle', () => {
  const refusal = (code: string) => rendererOf(code).describe().then(() => 'taken', ({ name, message }: Error) => `${name}: ${message}`);
  const header = (versions: Partial<typeof VERSIONS>) => boxCode({ header: headerLine({ ...VERSIONS, ...versions } as typeof VERSIONS) });

  test('is described as data', async () => {
    const [facts] = await boxOf({ more: 'shortNames: ["bx"], limits: { seconds: 2 },' }).describe();
    expect(facts).toMatchObject({
      group: 'platform.example.com',
      kind: 'Box',
      plural: 'boxes',
      shortNames: ['bx'],
      namespaced: true,
      versions: [{ name: 'v1', schema: { type: 'object' } }],
      limits: { objects: 200, seconds: 2, memoryMb: 256 },
    });
    expect(facts!.composes).toContainEqual({ group: '', kind: 'Namespace', plural: 'namespaces', namespaced: false });
    expect(facts!.composes).toContainEqual({ group: 'storage.azure.com', kind: 'StorageAccount', plural: 'storageaccounts', namespaced: true });
  });

  test.each([
    ['no header', 'module.exports = {};', 'BundleError: this is no bundle of a platform API'],
    ['another version of the library', header({ library: '0.0.1' as never }), 'BundleError: the bundle was built with cdk8s-aso 0.0.1, and here is'],
    ['another major version of cdk8s', header({ cdk8s: '1.2.3' }), 'BundleError: the bundle was built with cdk8s 1.2.3'],
    ['a later format', boxCode({ header: '// cdk8s-aso platform API {"format":2}\n' }), 'BundleError: the bundle has a format that this version does not know'],
    ['no definition', `${headerLine(VERSIONS)}module.exports.default = {};`, 'BundleError: the default export of the module is no definition'],
    ['an error', boxCode({ module: "throw new Error('no luck');" }), "BundleError: the definition's module cannot be loaded: no luck"],
    ['a package that nobody has', boxCode({ module: "require('left-pad');" }), "BundleError: the definition's module cannot be loaded: the bundle asks for 'left-pad'"],
    ['two definitions of one kind', `${boxCode({})}\nmodule.exports.default = [module.exports.default, module.exports.default];`, 'BundleError: the module has two definitions of Box'],
    ['broken syntax', `${headerLine(VERSIONS)}const = 1;`, 'BundleError: Unexpected token'],
  ])('with %s is refused', async (_, code, expected) => {
    await expect(refusal(code)).resolves.toContain(expected);
  });

  test('that never ends when it is loaded is stopped', async () => {
    // The state is in a package of the thread, which describe and compose share.
    const module = "const cdk8s = require('cdk8s'); if (cdk8s.seen) for (;;); cdk8s.seen = true;";
    await expect(boxOf({ module, more: 'limits: { seconds: 0.3 },' }).compose(claimOf())).resolves.toEqual({
      problem: { reason: 'TooSlow', message: 'loading the bundle took longer than 0.3 s, the limit of the definition (limits.seconds)' },
      reads: [],
    });
  });

  test('without the packages of the image is refused with their name', async () => {
    await expect(rendererOf(boxCode({}), { modulesFrom: '/' }).describe()).rejects.toThrow("Cannot find module 'cdk8s-aso/platform-api'");
  });
});

test('claims of a namespace wait for each other only up to a limit', async () => {
  const renderer = boxOf({ compose: 'for (let end = 0; end < 2e7; end += 1);' }, { maxQueued: 2 });
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => renderer.compose(claimOf())));
  const refused = results.filter((result): result is PromiseRejectedResult => result.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused.length).toBeGreaterThan(0);
  for (const reason of refused) expect(reason).toBeInstanceOf(QueueFullError);
});

test('a claim of a kind that the bundle does not have is refused', async () => {
  await expect(boxOf({}).compose({ ...claimOf(), kind: 'Other' })).rejects.toThrow('the bundle has no definition of Other in group platform.example.com');
});

test('a ClaimError lists places in the claim', async () => {
  const compose = "const { ClaimError } = require('cdk8s-aso/platform-api'); throw new ClaimError([{ path: 'spec.a', message: 'is not right' }]);";
  const { problem } = await composed(compose);
  expect(problem).toEqual({ reason: 'InvalidSpec', issues: [{ path: 'spec.a', message: 'is not right' }] });
});
