import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import ts from 'typescript';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';
import { svgText } from '../cli/graph/graphviz';
import { graphOf } from '../cli/graph/manifests';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: any;
}

const root = join(__dirname, '..', '..');
const example = join(root, 'examples', 'web-shop');
const picture = join(root, 'docs', 'web-shop.svg');
const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-aso-web-shop-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

// A process of its own, with the built library: the example writes enumerations as texts, which the types of the sources do not take.
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', join(example, 'main.ts')], {
  cwd: root, encoding: 'utf8', env: { ...process.env, CDK8S_OUTDIR: outdir },
});
if (status !== 0) throw new Error(stderr);
const file = join(outdir, 'shop.k8s.yaml');
const objects = Yaml.load(file) as Manifest[];
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const sources = readdirSync(example).filter((name) => name.endsWith('.ts')).map((name) => join(example, name));

test('the manifests that were reviewed', () => {
  expect(objects).toMatchSnapshot();
});

test('it is at most 150 lines, and compiles', () => {
  expect(sources.reduce((sum, source) => sum + readFileSync(source, 'utf8').trimEnd().split('\n').length, 0)).toBeLessThanOrEqual(150);
  const program = ts.createProgram(sources, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noUnusedLocals: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test('check finds nothing', async () => {
  const terminal = captured();
  expect([await runCommandLine(['check', outdir], '1.2.3', terminal), terminal.out.join('\n')]).toEqual([0, expect.stringContaining('nothing to say')]);
});

test('everything is in the region and has the tag of the app, and no subnet has the range of another', () => {
  const locations = new Set(objects.map(({ spec }) => spec?.location).filter((location) => location !== undefined));
  expect([...locations].sort()).toEqual(['global', 'uksouth']);
  for (const { spec } of [...ofKind('StorageAccount'), ...ofKind('ManagedCluster')]) expect(spec.tags).toEqual({ app: 'shop' });
  expect(new Set(ofKind('VirtualNetworksSubnet').map(({ spec }) => spec.addressPrefix)).size).toBe(3);
});

test('the pods have values of their resources, and no secret is in the manifests', () => {
  const [web] = ofKind('Deployment');
  const names = web!.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['POSTGRES_HOST', 'REDIS_KEY', 'COSMOS_URL', 'AZURE_CLIENT_ID']));
  expect(JSON.stringify(objects)).not.toMatch(/administratorLoginPassword|AccountKey=/);
});

/** `npx jest test/examples/web-shop -u` writes it as well. */
test('docs/web-shop.svg is its picture', async () => {
  const svg = `${await svgText(graphOf(readFileSync(file, 'utf8')))}\n`;
  const { _updateSnapshot: update } = (expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } }).snapshotState;
  if (update === 'all') writeFileSync(picture, svg);
  expect(readFileSync(picture, 'utf8')).toBe(svg);
});
