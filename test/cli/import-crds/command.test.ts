import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describedCrd, WIDGET } from './importing';
import { runCommandLine } from '../../../cli/command-line';
import { fetchText } from '../../../cli/import-crds/fetch-text';
import { Catalog } from '../../../src/catalog';
import { captured } from '../capture';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-crds-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['import-crds', '--out', join(folder, 'out'), ...args], '0.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

const changed = (from: string | RegExp, to: string) => WIDGET.replace(from, to);

test('writes the code, says what it did and what is not known', async () => {
  const { status, out } = await run(file('widget.yaml', WIDGET));
  expect(status).toBe(0);
  expect(out).toContain('widgets.azure.com/Widget');
  expect(out).toContain('not known: from where in the status outputs come');
  expect(readFileSync(join(folder, 'out', 'index.ts'), 'utf8')).toContain('export * as widgets from \'./widgets\';');
  expect(readFileSync(join(folder, 'out', 'widgets', 'widget.ts'), 'utf8')).toMatch(/^\/\/ Written by `cdk8s-aso import-crds`/);
});

test('--output json says the same to programs', async () => {
  const { out } = await run('--output', 'json', file('widget.yaml', WIDGET));
  expect(JSON.parse(out)).toMatchObject({
    kinds: [
      {
        group: 'widgets.azure.com',
        kind: 'Widget',
        versions: ['v1api20240101'],
        classVersion: 'v1api20240101',
        armType: 'Microsoft.Widgets/widgets',
        owner: 'resources.azure.com/ResourceGroup',
      },
    ],
    skipped: [],
    problems: [],
  });
});

test('--esm gives files their extension', async () => {
  await run('--esm', file('widget.yaml', WIDGET));
  expect(readFileSync(join(folder, 'out', 'index.ts'), 'utf8')).toContain('\'./widgets/index.js\'');
  expect(readFileSync(join(folder, 'out', 'widgets', 'widget.ts'), 'utf8')).toContain('import \'../catalog.js\';');
});

describe('what is not imported is named', () => {
  const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: s }\n';
  test.each([
    ['no CRD at all', service, 1, /s\.yaml:1: Service s: is no CustomResourceDefinition/],
    ['something beside CRDs', `${WIDGET}---\n${service}`, 0, /skipped: .*Service s: is no CustomResourceDefinition/],
    [
      'another group',
      changed('group: widgets.azure.com', 'group: widgets.example.com'),
      0,
      /skipped: .*belongs to widgets\.example\.com.*--all/,
    ],
    ['an old CRD', changed('apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'), 1, /apiextensions\.k8s\.io\/v1beta1 is not read/],
    ['cluster-wide objects', changed('scope: Namespaced', 'scope: Cluster'), 0, /skipped: .*in no namespace/],
    ['a class name that would hide others', changed('kind: Widget,', 'kind: Output,'), 0, /skipped: .*'Output'/],
    [
      'no versions',
      changed('served: true\n      storage: false', 'served: false\n      storage: false'),
      0,
      /skipped: .*no version is served/,
    ],
    ['no YAML', 'a: [', 1, /neither YAML nor JSON/],
    [
      'no schema',
      changed('location: { type: string,', 'location: {'),
      1,
      /v1api20240101 spec\.location: the schema is not structural: it has no type/,
    ],
    ['$ref', changed('tenantId: { type: string }', 'tenantId: { $ref: "#/x" }'), 1, /spec\.tenantId: .*\$ref/],
    [
      'properties and additionalProperties',
      changed('tags: { type: object,', 'tags: { type: object, properties: {},'),
      1,
      /spec\.tags: .*both/,
    ],
    ['an unknown type', changed('tenantId: { type: string }', 'tenantId: { type: text }'), 1, /spec\.tenantId: .*no type "text"/],
    [
      'a list of whatever',
      changed('items:\n                    type: object\n', 'itemz:\n                    type: object\n'),
      1,
      /spec\.rules: the list has no schema/,
    ],
    [
      'two properties of one name',
      changed('scan-interval: { type: integer }', 'scan-interval: { type: integer }, scanInterval: { type: integer }'),
      1,
      /'scan-interval' and 'scanInterval' would both/,
    ],
    ['an enum that is none', changed('enum: [small, Small, large]', 'enum: [{}]'), 1, /spec\.size: enum is no list/],
    [
      'an enum of texts with a number',
      changed('enum: [small, Small, large]', 'enum: [small, 1e308]'),
      1,
      /spec\.size: enum of a text has a value that is no text/,
    ],
    [
      'categories that are no list',
      changed('singular: widget', 'singular: widget, categories: 5'),
      1,
      /spec\.names\.categories.*is not a list of texts/,
    ],
    [
      'a short name that is no text',
      changed('singular: widget', 'singular: widget, shortNames: [w, {}]'),
      1,
      /spec\.names\.shortNames.*is not a list of texts/,
    ],
    ['a singular that is no text', changed('singular: widget', 'singular: [widget]'), 1, /spec\.names\.singular.*is not a text/],
    ['the same twice', `${WIDGET}---\n${WIDGET}`, 1, /stands already in .*:1/],
  ])('%s', async (_, content, status, message) => {
    const result = await run(file('s.yaml', content));
    expect(result.err).toMatch(message);
    expect(result.status).toBe(status);
  });

  test('--all takes other groups', async () => {
    const result = await run('--all', file('s.yaml', changed('group: widgets.azure.com', 'group: widgets.example.com')));
    expect(result.status).toBe(0);
    expect(existsSync(join(folder, 'out', 'widgetsexamplecom', 'widget.ts'))).toBe(true);
  });

  test('what the library has', async () => {
    const crd = describedCrd(Catalog.default().kind('resources.azure.com', 'ResourceGroup')!);
    const result = await run(file('rg.json', JSON.stringify(crd)));
    expect(result).toMatchObject({ status: 0, err: expect.stringContaining('the library has a class for it') });
    expect(existsSync(join(folder, 'out'))).toBe(false);
    expect((await run('--include-built-in', file('rg.json', JSON.stringify(crd)))).out).toContain('1 kind imported');
  });

  test('a text that would leave its comment or its string', async () => {
    const nasty = changed('AzureName: The name of the resource in Azure.', "*/ process.exit(1); /* '; ${x} `").replace(
      'enum: [small, Small, large]',
      'enum: ["\'; process.exit(1); //", "\\\\"]',
    );
    expect((await run(file('s.yaml', nasty))).status).toBe(0);
    const code = readFileSync(join(folder, 'out', 'widgets', 'widget.ts'), 'utf8');
    expect(code).not.toMatch(/^[^'/*]*process\.exit/m);
    expect(code).toContain('\\\'; process.exit(1); //');
  });
});

describe('files of others', () => {
  test('are not overwritten, unless forced; ours are', async () => {
    const crd = file('s.yaml', WIDGET);
    await run(crd);
    expect((await run(crd)).status).toBe(0);
    const path = join(folder, 'out', 'widgets', 'widget.ts');
    writeFileSync(path, `${readFileSync(path, 'utf8')}// mine\n`);
    const refused = await run(crd);
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('widgets/widget.ts (changed since it was written)') });
    expect(readFileSync(path, 'utf8')).toContain('// mine');
    expect((await run('--force', crd)).status).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('// mine');
    writeFileSync(path, 'mine');
    expect((await run(crd)).err).toContain('widgets/widget.ts (not written by this command)');
  });

  test('what is no longer imported goes, but nothing that we did not write', async () => {
    await run(file('s.yaml', WIDGET));
    writeFileSync(join(folder, 'out', 'widgets', 'own.ts'), 'export const own = 1;\n');
    await run(file('s.yaml', WIDGET.replaceAll('kind: Widget,', 'kind: Gadget,')));
    expect(existsSync(join(folder, 'out', 'widgets', 'widget.ts'))).toBe(false);
    expect(existsSync(join(folder, 'out', 'widgets', 'gadget.ts'))).toBe(true);
    expect(existsSync(join(folder, 'out', 'widgets', 'own.ts'))).toBe(true);
  });

  test('--out that is a file', async () => {
    file('out', '');
    expect(await run(file('s.yaml', WIDGET))).toMatchObject({ status: 2, err: expect.stringContaining('is a file') });
  });
});

describe('addresses', () => {
  let server: Server;
  let base: string;
  beforeEach(async () => {
    server = createServer((request, response) => {
      if (request.url === '/crd.yaml') response.end(WIDGET);
      else if (request.url === '/moved') response.writeHead(302, { location: '/crd.yaml' }).end();
      else if (request.url === '/away') response.writeHead(302, { location: 'http://192.0.2.1/crd.yaml' }).end();
      else if (request.url === '/cycle') response.writeHead(302, { location: '/cycle' }).end();
      else if (request.url !== '/slow') response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('are read, redirects followed', async () => {
    expect((await run(`${base}/crd.yaml`)).status).toBe(0);
    expect((await run(`${base}/moved`)).status).toBe(0);
  });

  test.each([
    ['/none', /answered 404/],
    ['/away', /http:\/\/192\.0\.2\.1 is not reached over https/],
    ['/cycle', /redirects more than 5 times/],
  ])('%s', async (path, message) => expect(await run(`${base}${path}`)).toMatchObject({ status: 1, err: expect.stringMatching(message) }));

  test.each([
    ['http://example.com/crd.yaml', /not reached over https/],
    ['ftp://example.com/crd.yaml', /not reached over https/],
    ['https://user:hunter2@example.com/crd.yaml', /a user or a password/],
    ['http://127.0.0.1:9/crd.yaml', /cannot be reached/],
  ])('%s', async (address, message) => {
    const { status, err } = await run(address);
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(message) });
    expect(err).not.toContain('hunter2');
  });

  test('that never answer', async () => {
    await expect(fetchText(`${base}/slow`, 100)).rejects.toThrow(/did not answer/);
  });
});

describe('cluster', () => {
  test('is asked page by page', async () => {
    const crd = describedCrd(Catalog.default().kind('resources.azure.com', 'ResourceGroup')!);
    const pages = [
      { items: [crd], next: 'more' },
      { items: [{ ...crd, metadata: { name: 'widgets.example.com' }, spec: { ...crd.spec, group: 'widgets.example.com' } }], next: '' },
    ];
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      const page = pages[request.url!.includes('continue=more') ? 1 : 0];
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          kind: 'CustomResourceDefinitionList',
          apiVersion: 'apiextensions.k8s.io/v1',
          metadata: { resourceVersion: '1', continue: page!.next },
          items: page!.items,
        }),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kubeconfig = file('kubeconfig', `apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{ name: c, context: { cluster: k, user: u } }]\nclusters: [{ name: k, cluster: { server: "${url}" } }]\nusers: [{ name: u, user: {} }]\n`);
    const result = await run('cluster', '--kubeconfig', kubeconfig, '--include-built-in');
    server.closeAllConnections();
    server.close();
    expect(result).toMatchObject({
      status: 0,
      out: expect.stringContaining('resources.azure.com/ResourceGroup'),
      err: expect.stringContaining('belongs to widgets.example.com'),
    });
    expect(asked).toHaveLength(2);
  });

  test('without a kubeconfig', async () => {
    expect(await run('cluster', '--kubeconfig', join(folder, 'none'))).toMatchObject({
      status: 2,
      err: expect.stringContaining('kubeconfig'),
    });
  });
});

test('check and graph know what was imported by --catalog', async () => {
  await run(file('s.yaml', WIDGET));
  const manifest = file('w.yaml', 'apiVersion: widgets.azure.com/v1api20240101\nkind: Widget\nmetadata: { name: w, namespace: team }\nspec: { owner: { name: rg }, location: x, size: huge }\n');
  const added = ['--catalog', join(folder, 'out', 'catalog.json')];
  const checked = captured();
  expect(await runCommandLine(['check', manifest, ...added], '0', checked)).toBe(1);
  expect(checked.out.join('\n')).toMatch(/spec\.size: is not an allowed value/);
  expect(checked.out.join('\n')).not.toContain('unknown-group');
  const drawn = captured();
  expect(await runCommandLine(['graph', manifest], '0', drawn)).toBe(0);
  expect(drawn.out.join('\n')).toContain('Widget');
  const bad = captured();
  expect(await runCommandLine(['check', manifest, '--catalog', manifest], '0', bad)).toBe(2);
  expect(bad.err.join('\n')).toContain('not a catalog fragment');
});
