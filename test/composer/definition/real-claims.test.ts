import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import type { z } from 'zod';
import { SCHEMAS, type SchemaName } from './schemas';
import { SPECS } from './specs';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { composerRights } from '../../../composer/definition/composer-rights';
import { crdManifest } from '../../../composer/definition/crd-manifest';
import { KUBERNETES_KINDS } from '../../../composer/definition/kubernetes-kinds';
import { capitalized } from '../../../src/util/words';
import { hasKubectl } from '../../e2e/cluster';
import { createCrds, installCrds } from '../../e2e/install-crds';
import { startReal, type RealCluster } from '../../e2e/real-cluster';
import { describeWithRealKubernetes } from '../../e2e/real-kubernetes';

const GROUP = 'platform.example.com';
type Crd = Parameters<typeof createCrds>[1][number];

const factsOf = (name: SchemaName, more: Partial<ApiFacts> = {}): ApiFacts => ({
  group: GROUP,
  kind: capitalized(name),
  plural: name,
  shortNames: [],
  categories: [],
  namespaced: true,
  columns: [{ name: 'Kind', jsonPath: '.spec.kind' }, { name: 'Link', jsonPath: '.status.links.portal', isWide: true }],
  versions: [{ name: 'v1', schema: SCHEMAS[name]['~standard'].jsonSchema.input({ target: 'openapi-3.0' }) }],
  composes: [{ group: '', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }],
  reads: [],
  configMapOutputs: false,
  limits: { objects: 200, seconds: 10, memoryMb: 256 },
  description: `A ${name}.`,
  ...more,
});

(hasKubectl ? describeWithRealKubernetes : describe.skip)('claims of a platform API on a real kube-apiserver', () => {
  let cluster: RealCluster;
  const names = Object.keys(SCHEMAS) as SchemaName[];

  beforeAll(async () => {
    cluster = await startReal();
    await installCrds(cluster.connection, names.map((name) => crdManifest(factsOf(name)).manifest as unknown as Crd));
  });
  afterAll(() => cluster?.close());

  const kubectl = (...args: string[]) =>
    execFileSync('kubectl', args, { encoding: 'utf8', env: { ...process.env, KUBECONFIG: cluster.kubeconfig } });
  const dryRun = (name: SchemaName, spec: unknown) => cluster.connection.request({
    method: 'POST',
    path: `/apis/${GROUP}/v1/namespaces/default/${name}`,
    query: { dryRun: 'All', fieldValidation: 'Ignore' },
    body: JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: capitalized(name), metadata: { name: 'claim' }, spec }),
  });

  test.each(names)('%s: the schema library and the API server take and refuse the same claims', async (name) => {
    const seen = { taken: 0, refused: 0 };
    const takes = (spec: unknown) => (SCHEMAS[name] as z.ZodType).safeParse(spec).success;
    await fc.assert(fc.asyncProperty(SPECS[name], async (spec) => {
      const { status, text: answer } = await dryRun(name, spec);
      seen[status === 201 ? 'taken' : 'refused'] += 1;
      // The server removes unknown members, and null where it is not allowed.
      if (status === 201) expect([answer, takes((JSON.parse(answer) as { readonly spec: unknown }).spec)]).toEqual([answer, true]);
      else expect([answer, takes(spec)]).toEqual([answer, false]);
    }), { numRuns: 300 });
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(15);
  });

  test('defaults are set, and unknown members removed', async () => {
    const { text: answer } = await dryRun('texts', { plain: 'x', unknown: 1 });
    expect((JSON.parse(answer) as { readonly spec: unknown }).spec).toEqual({ plain: 'x', kind: 'small' });
  });

  test.each<[SchemaName, object, object]>([
    ['lists', { names: ['a'], objects: null }, { names: ['a'] }],
    ['texts', { plain: 'x', kind: null }, { plain: 'x', kind: 'small' }],
    ['numbers', { whole: 1, on: true, none: null }, { whole: 1, on: true, none: null }],
  ])('null in %s counts as absent, unless the member may be null', async (name, spec, stored) => {
    const { status, text: answer } = await dryRun(name, spec);
    expect([status, (JSON.parse(answer) as { readonly spec: unknown }).spec]).toEqual([201, stored]);
  });

  test('kubectl explains the kind, and prints its columns', () => {
    expect(kubectl('explain', 'texts.spec.kind')).toContain('FIELD: kind <string>');
    expect(kubectl('explain', 'texts.status')).toMatch(/observedGeneration\s+<integer>/);
    const manifest = { apiVersion: `${GROUP}/v1`, kind: 'Texts', metadata: { name: 'one', namespace: 'default' }, spec: { plain: 'x' } };
    execFileSync('kubectl', ['apply', '-f', '-'], { input: JSON.stringify(manifest), env: { ...process.env, KUBECONFIG: cluster.kubeconfig } });
    expect(kubectl('get', 'texts').split('\n')[0]!.split(/\s+/)).toEqual(['NAME', 'KIND', 'SYNCED', 'READY', 'REASON', 'AGE']);
  });

  test('the status takes what the composer writes', async () => {
    const path = `/apis/${GROUP}/v1/namespaces/default/texts/one`;
    const status = {
      observedGeneration: 1,
      definition: '0123456789abcdef',
      conditions: [{ type: 'Ready', status: 'False', reason: 'Waiting', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      outputs: { endpoint: 'https://a', count: 2, on: true },
      links: { portal: 'https://portal.azure.com' },
      objects: [{ group: '', kind: 'ConfigMap', namespace: 'default', name: 'a', wave: 0, uid: 'u', ready: true, applied: 'hash', generation: 1 }],
    };
    const { status: code, text: answer } = await cluster.connection.request({
      method: 'PATCH',
      path: `${path}/status`,
      query: { fieldValidation: 'Strict' },
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ status }),
    });
    expect([code, (JSON.parse(answer) as { readonly status: unknown }).status]).toEqual([200, status]);
  });

  test("the plurals and scopes of Kubernetes' own kinds are the server's", () => {
    const served = new Map(kubectl('api-resources', '--no-headers').split('\n').filter((line) => line !== '').map((line) => {
      const [kind, namespaced, version, ...names_] = line.trim().split(/\s+/).reverse();
      const [group] = version!.includes('/') ? version!.split('/') : [''];
      return [`${group}/${kind}`, { plural: names_.at(-1), namespaced: namespaced === 'true' }];
    }));
    for (const [kind, facts] of KUBERNETES_KINDS) if (served.has(kind)) expect([kind, served.get(kind)]).toEqual([kind, facts]);
    expect([...KUBERNETES_KINDS.keys()].filter((kind) => !served.has(kind))).toEqual([]);
  });

  test('the rights are taken as they are', () => {
    const { manifests, unknown } = composerRights([factsOf('texts')], { name: 'texts', namespace: 'default' });
    expect(unknown).toEqual([]);
    const list = { apiVersion: 'v1', kind: 'List', items: manifests };
    execFileSync('kubectl', ['apply', '--validate=strict', '-f', '-'], { input: JSON.stringify(list), env: { ...process.env, KUBECONFIG: cluster.kubeconfig } });
    const can = (...args: string[]) => {
      try {
        return kubectl('auth', 'can-i', ...args, '--as=system:serviceaccount:default:texts', '-n', 'kube-public').trim();
      } catch {
        return 'no';
      }
    };
    expect(can('update', `texts.${GROUP}`, '--subresource=status')).toBe('yes');
    expect(can('update', `texts.${GROUP}`)).toBe('no');
    expect(can('delete', 'configmaps')).toBe('yes');
    expect(can('delete', `texts.${GROUP}`)).toBe('no');
    expect(can('get', 'secrets')).toBe('no');
  });
});
