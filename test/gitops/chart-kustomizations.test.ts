import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { ChartKustomizations, FluxWarningHealth, type ChartKustomizationsProps } from '../../src/gitops';
import { UserAssignedIdentity } from '../../src/services/managedidentity/user-assigned-identity';
import { ResourceGroup } from '../../src/services/resources/resource-group';

const PROPS = { namespace: 'flux-system', sourceRef: { kind: 'GitRepository', name: 'repo' }, path: './dist' };

function charts(yamlOutputType = YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) {
  const app = new App({ yamlOutputType });
  const made = (name: string) => new Chart(app, name, { namespace: 'shop' });
  return { app, flux: made('flux'), base: made('base'), apps: made('apps') };
}
const specsOf = (flux: Chart): Record<string, any> =>
  Object.fromEntries((Testing.synth(flux) as any[]).map(({ metadata, spec }) => [metadata.name, spec]));
const synthesized = (flux: Chart, props: Partial<ChartKustomizationsProps> = {}) => {
  new ChartKustomizations(flux, 'all', { ...PROPS, ...props });
  return specsOf(flux);
};

test('each chart waits for its resources, and for the charts whose resources they need', () => {
  const { flux, base, apps } = charts();
  const made = new ChartKustomizations(flux, 'all', PROPS);
  // After the Kustomizations: what a chart needs is read at synth.
  const owner = new ResourceGroup(base, 'group', { location: 'uksouth' });
  new UserAssignedIdentity(apps, 'identity', { owner, location: 'uksouth' });
  const specs = specsOf(flux);
  expect(specs.base).toMatchObject({
    interval: '10m',
    retryInterval: '1m',
    timeout: '30m',
    sourceRef: PROPS.sourceRef,
    prune: true,
    wait: true,
    healthCheckExprs: [{ kind: 'ResourceGroup' }],
  });
  expect(specs.base).not.toHaveProperty('dependsOn');
  expect(specs.apps).toMatchObject({
    dependsOn: [{ name: 'base', namespace: 'flux-system' }], healthCheckExprs: [{ kind: 'UserAssignedIdentity' }],
  });
  expect(Object.keys(specs)).toEqual(['base', 'apps']);
  expect(made.kustomizationOf(base).name).toBe('base');
  expect(() => made.kustomizationOf(flux)).toThrow(/\[flux\/all\] ChartKustomizations\.kustomizationOf: 'flux' is none of the charts/);
});

test('the paths are the folders that the app writes', () => {
  const { app, flux, base, apps } = charts();
  const owner = new ResourceGroup(base, 'group', { location: 'uksouth' });
  new UserAssignedIdentity(apps, 'identity', { owner, location: 'uksouth' });
  new ChartKustomizations(flux, 'all', PROPS);
  const outdir = mkdtempSync(join(tmpdir(), 'chart-kustomizations-'));
  try {
    Object.defineProperty(app, 'outdir', { value: outdir });
    app.synth();
    const folders = Object.values(specsOf(flux)).map(({ path }) => (path as string).replace('./dist/', ''));
    expect(folders.map((folder) => readdirSync(join(outdir, folder)).length)).toEqual([1, 1]);
  } finally {
    rmSync(outdir, { recursive: true });
  }
});

test('a workload waits for the chart whose values it reads', () => {
  const { flux, base, apps } = charts();
  const owner = new ResourceGroup(base, 'group', { location: 'uksouth' });
  const { configMapName: name, key } = new UserAssignedIdentity(base, 'identity', { owner, location: 'uksouth' }).outputs.clientId;
  const env = [{ name: 'ID', valueFrom: { configMapKeyRef: { name, key } } }];
  new ApiObject(apps, 'pod', { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a', env }] } });
  const specs = synthesized(flux);
  expect(specs.apps.dependsOn).toEqual([{ name: 'base', namespace: 'flux-system' }]);
  expect(specs.apps).not.toHaveProperty('healthCheckExprs');
});

test('options', () => {
  const { flux, base, apps } = charts();
  const owner = new ResourceGroup(base, 'group', { location: 'uksouth' });
  new UserAssignedIdentity(apps, 'identity', { owner, location: 'uksouth' });
  const specs = synthesized(flux, {
    charts: [apps],
    interval: '1h',
    retryInterval: '2m',
    timeout: '1h',
    prune: false,
    dependsOn: [{ name: 'aso' }],
    path: 'out/',
    health: { warning: FluxWarningHealth.FAILED },
  });
  // The chart that is not applied here counts as being there.
  expect(specs).toEqual({
    apps: expect.objectContaining({ interval: '1h', retryInterval: '2m', timeout: '1h', prune: false, dependsOn: [{ name: 'aso' }], path: 'out/0002-apps' }),
  });
  expect(specs.apps.healthCheckExprs[0].failed).toContain("'Warning'");
});

test('charts that wait for each other fail, with the objects that are the reason', () => {
  const { flux, base, apps } = charts();
  const one = new ResourceGroup(base, 'one', { location: 'uksouth' });
  const two = new ResourceGroup(apps, 'two', { location: 'uksouth' });
  new UserAssignedIdentity(apps, 'a', { owner: one, location: 'uksouth' });
  new UserAssignedIdentity(base, 'b', { owner: two, location: 'uksouth' });
  expect(() => synthesized(flux)).toThrow(
    /ChartKustomizations: these charts wait for each other: (base|apps) \(UserAssignedIdentity \S+ needs ResourceGroup \S+\) → .*Move objects so that one can be applied first/,
  );
});

test('the chart of the Kustomizations is none of the charts', () => {
  const { flux } = charts();
  expect(() => new ChartKustomizations(flux, 'all', { ...PROPS, charts: [flux] })).toThrow(/\[flux\/all\] ChartKustomizations: charts: has 'flux'/);
});

test('Flux applies folders, so the app writes one for each chart', () => {
  const { flux, base } = charts(YamlOutputType.FILE_PER_CHART);
  new ResourceGroup(base, 'group', { location: 'uksouth' });
  expect(() => synthesized(flux)).toThrow(/ChartKustomizations: Flux applies whole folders, and the app writes 'base' into one with others/);
});
