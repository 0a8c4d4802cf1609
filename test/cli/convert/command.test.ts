import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from './converting';
import { runCommandLine } from '../../../cli/command-line';
import { Catalog } from '../../../src/catalog';
import { captured, filesIn } from '../capture';

const GROUP = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\nspec: {location: uksouth}\n';

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['convert', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

test('prints the chart, named after the file', async () => {
  const directory = filesIn({ 'my group.yaml': GROUP });
  const { status, out, err } = await run(join(directory, 'my group.yaml'));
  expect([status, err]).toEqual([0, ['note: the object is a construct of its class']]);
  expect(out).toContain('export class MyGroupChart extends Chart {');
  expect(out).toContain('from my group.yaml. */');
});

test('writes an app that has everything it needs', async () => {
  const directory = filesIn({ 'platform.yaml': fixture('platform.yaml') });
  const out = join(directory, 'My App');
  expect((await run(directory, '--out', out)).status).toBe(0);
  const file = (name: string) => readFileSync(join(out, name), 'utf8');
  expect(readdirSync(out).sort()).toEqual(['cdk8s.yaml', 'main.ts', 'package.json', 'platform.ts', 'team-a.ts', 'tsconfig.json']);
  expect(file('main.ts')).toBe(`import { App } from 'cdk8s';
import { PlatformChart } from './platform';
import { TeamAChart } from './team-a';

const app = new App();
const platformChart = new PlatformChart(app, 'platform');
new TeamAChart(app, 'team-a').addDependency(platformChart);
app.synth();
`);
  const { name, dependencies, devDependencies } = JSON.parse(file('package.json')) as Record<string, Record<string, string>>;
  expect([name, Object.keys(dependencies!).sort()]).toEqual(['my-app', ['cdk8s', 'cdk8s-aso', 'cdk8s-plus-27', 'constructs']]);
  expect(Object.values({ ...dependencies, ...devDependencies }).filter((range) => !/^[~^]\d/.test(range))).toEqual([]);
  expect(file('cdk8s.yaml')).toContain('app: node --import tsx main.ts');
});

test('what could not be read costs the exit status, not the rest; it stands in a file of its own', async () => {
  const directory = filesIn({ 'a.yaml': `${GROUP}---\njust text\n` });
  const out = join(directory, 'app');
  const { status, err } = await run(join(directory, 'a.yaml'), join(directory, 'none.yaml'), '--out', out);
  expect([status, err]).toEqual([
    1,
    [
      expect.stringMatching(/none\.yaml: no such file or directory/),
      expect.stringMatching(/a\.yaml:6: is not a Kubernetes object/),
      'note: 1 document that could not be read: kept as a comment in unreadable.ts',
      'note: the object is a construct of its class',
    ],
  ]);
  expect(readFileSync(join(out, 'unreadable.ts'), 'utf8')).toContain('\n// just text\n');
  expect(readFileSync(join(out, 'a.ts'), 'utf8')).toContain('ResourceGroup');
});

test('nothing is overwritten', async () => {
  const directory = filesIn({ 'a.yaml': GROUP });
  mkdirSync(join(directory, 'full'));
  writeFileSync(join(directory, 'full', 'main.ts'), 'mine');
  expect(await run(directory, '--out', join(directory, 'full'))).toMatchObject({
    status: 2,
    err: [expect.stringContaining('is not empty')],
  });
  expect(await run(directory, '--out', join(directory, 'a.yaml'))).toMatchObject({
    status: 2,
    err: [expect.stringContaining('is a file')],
  });
  expect(readFileSync(join(directory, 'full', 'main.ts'), 'utf8')).toBe('mine');
});

describe('variables in the files', () => {
  const GROUPS = `apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata:
  name: \${TEAM}-rg
spec:
  location: \${LOCATION:=uksouth}
  tags:
    size: "\${SIZE}"
`;

  test('have their values from the environment; all that are missing are named', async () => {
    const directory = filesIn({ 'shop.yaml': GROUPS });
    const out = join(directory, 'app');
    expect((await run(directory, '--out', out)).status).toBe(0);
    expect(readFileSync(join(out, 'main.ts'), 'utf8')).toBe(`import { App } from 'cdk8s';
import { ShopChart } from './shop';

const env = required('TEAM', 'SIZE');
const app = new App();
new ShopChart(app, 'shop', {
  team: env.TEAM,
  size: env.SIZE,
  location: process.env.LOCATION || undefined,
});
app.synth();

/** The environment, in which these variables have to be set. */
function required<Name extends string>(...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) throw new Error(\`Set these variables: \${missing.join(', ')}.\`);
  return process.env as Record<Name, string>;
}
`);
  });

  test('that Flux fills in have the values of the files', async () => {
    const flux = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: shop}\nspec: {postBuild: {substitute: {TEAM: a, SIZE: "3"}}}\n';
    const directory = filesIn({ 'shop.yaml': GROUPS, 'flux.yaml': flux });
    const out = join(directory, 'app');
    await run(directory, '--out', out);
    expect(readFileSync(join(out, 'main.ts'), 'utf8')).toContain("{\n  team: 'a',\n  size: '3',\n  location: process.env.LOCATION || undefined,\n}");
  });

  test('are filled in by --set', async () => {
    const directory = filesIn({ 'shop.yaml': GROUPS });
    const { out } = await run(directory, '--set', 'TEAM=a', '--set', 'SIZE=3', '--set', 'LOCATION=northeurope');
    expect(out).toContain("metadata: { name: 'a-rg' }");
    expect(out).not.toContain('props');
  });

  test('of a chart that is not rendered have the values of the chart', async () => {
    const directory = filesIn({ 'values.yaml': 'team: shop\nsize: 3\nlocation: ""\n', 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n' });
    mkdirSync(join(directory, 'templates'));
    writeFileSync(join(directory, 'templates', 'group.yaml'), GROUPS
      .replace('${TEAM}', '{{ .Values.team }}').replace('${LOCATION:=uksouth}', '{{ .Values.location }}').replace('"${SIZE}"', '{{ .Values.size | quote }}'));
    const { out, err } = await run(join(directory, 'templates'));
    expect(err.at(-1)).toContain('3 variables are props of the charts');
    expect(out.split('\n').filter((line) => line.includes('readonly '))).toEqual([
      '  readonly location: string;', '  readonly team?: string;', '  readonly size?: string;',
    ]);
    expect(out).toContain("const team = props.team ?? 'shop';");
  });

  test('may be of the service that has the name of the app', async () => {
    const kind = Catalog.default().kindsOf('app').find(({ kind: name }) => name === 'ContainerApp')!;
    const directory = filesIn({
      'web.yaml': `apiVersion: ${kind.latest.apiVersion}
kind: ContainerApp
metadata:
  name: web
spec:
  location: uksouth
  owner:
    name: rg
  identity:
    type: "\${IDENTITY_TYPE}"
`,
    });
    const out = join(directory, 'app');
    await run(directory, '--out', out);
    const main = readFileSync(join(out, 'main.ts'), 'utf8');
    expect(main).toContain("import * as appService from 'cdk8s-aso/app';");
    expect(main).toMatch(/identityType: env\.IDENTITY_TYPE as appService\.\w+,/);
  });
});
