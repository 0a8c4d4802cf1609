import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { transformSync } from 'esbuild';
import ts from 'typescript';
import { codeFiles, type CodeFiles } from '../../../cli/import-crds/code';
import { readCrd, type SourceCrd } from '../../../cli/import-crds/crd';
import { importCrds } from '../../../cli/import-crds/fragment';
import { parseManifests, type Manifest } from '../../../cli/manifests/manifests';
import { Catalog, type Kind } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';

export const ROOT = join(__dirname, '..', '..', '..');
export const WIDGET = readFileSync(join(__dirname, 'widget.yaml'), 'utf8');

type Json = Record<string, any>;

/** A catalog of no kinds: what a CRD says by itself. */
export function emptyCatalog(): Catalog {
  const folder = mkdtempSync(join(tmpdir(), 'no-kinds-'));
  writeFileSync(join(folder, '_common.json'), readFileSync(join(ROOT, 'catalog', '_common.json')));
  const catalog = new Catalog(folder);
  void catalog.common;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return catalog;
}

/** The CRD of a kind with the descriptions that Azure Service Operator writes into its own. */
export function describedCrd(kind: Kind, versions = [kind.facts.versions[kind.facts.latest]!.sameAs ?? kind.facts.latest]): Json {
  const crd = JSON.parse(JSON.stringify(crdManifest(kind, { versions }))) as Json;
  for (const version of crd.spec.versions as Json[]) {
    const { facts } = kind.version(version.name)!;
    const schema = version.schema.openAPIV3Schema as Json;
    if (facts.arm) {
      const stage = facts.arm.apiVersion.endsWith('preview') ? 'preview' : 'stable';
      schema.description = `Generator information:\n- Generated from: /x/resource-manager/X/${stage}/${facts.arm.apiVersion}/x.json\n- ARM URI: ${facts.arm.uri}`;
    }
    const { owner } = schema.properties.spec.properties;
    if (owner && typeof facts.owner === 'object' && facts.owner) owner.description = `Owner: The owner of the resource. Owner is expected to be a reference to a ${facts.owner.group}/${facts.owner.kind} resource`;
    describeSecrets(schema.properties.spec, kind, version.name);
  }
  return crd;
}

/** A Secret of which all keys are meant looks like a struct that has just a name. */
function describeSecrets(schema: Json, kind: Kind, versionName: string): void {
  const version = kind.version(versionName)!;
  const visit = (node: Json, type: any): void => {
    if (!node || !type || typeof type !== 'object') return;
    if ('array' in type) return visit(node.items, type.array);
    if ('map' in type) return visit(node.additionalProperties, type.map);
    if ('type' in type) return visit(node, type.type);
    if ('common' in type && type.common === 'SecretMapReference') {
      node.properties.name.description = 'Name is the name of the Kubernetes secret being referenced.';
    }
    if ('ref' in type) for (const [name, facts] of Object.entries(version.type(type.ref).props)) visit(node.properties?.[name], facts.type);
  };
  visit(schema, { ref: version.facts.spec });
}

export function manifestsOf(...crds: (string | Json)[]): Manifest[] {
  return crds.flatMap((crd, index) => {
    const { manifests, problems } = parseManifests(typeof crd === 'string' ? crd : JSON.stringify(crd), `crd${index}.yaml`);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return manifests;
  });
}

export function crdsOf(...crds: (string | Json)[]): SourceCrd[] {
  return manifestsOf(...crds).map((manifest) => {
    const read = readCrd(manifest, false);
    if (!('crd' in read)) throw new Error(JSON.stringify(read));
    return read.crd;
  });
}

export function imported(catalog: Catalog, includeBuiltIn: boolean, ...crds: (string | Json)[]) {
  return importCrds(crdsOf(...crds), catalog, includeBuiltIn);
}

/** The generated code, run as a project would run it; the library is that of the test. */
export function loaded(files: CodeFiles): Json {
  const modules = new Map<string, { exports: Json }>();
  const load = (path: string): Json => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} as Json };
    modules.set(path, module);
    const { code } = transformSync(files.get(path)!, { loader: 'ts', format: 'cjs', target: 'node20' });
    new Function('require', 'module', 'exports', code)((name: string) => resolve(name, path), module, module.exports);
    return module.exports;
  };
  const resolve = (name: string, from: string): Json => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    if (name === 'cdk8s-aso') return { ...require('../../../src/core'), ...require('../../../src/azure') };
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    if (!name.startsWith('.')) return require(name);
    const path = posix.join(posix.dirname(from), name.replace(/\.js$/, ''));
    return load(files.has(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`);
  };
  return load('index.ts');
}

/** Compiler messages for generated code together with more files of a project. */
export function compiled(files: CodeFiles, more: Record<string, string> = {}, options: ts.CompilerOptions = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'import-crds-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    symlinkSync(ROOT, join(folder, 'node_modules', 'cdk8s-aso'));
    const all = [...files, ...Object.entries(more)].filter(([path]) => path.endsWith('.ts'));
    for (const [path, content] of [...all, ...Object.entries(more)]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const program = ts.createProgram(all.map(([path]) => join(folder, path)), {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      strict: true,
      noEmit: true,
      noUnusedLocals: true,
      skipLibCheck: true,
      types: [],
      ...options,
    });
    return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const where = diagnostic.file ? `${diagnostic.file.fileName.slice(folder.length + 1)}:${diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + 1}: ` : '';
      return `${where}${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function codeOf(catalog: Catalog, includeBuiltIn: boolean, ...crds: (string | Json)[]): CodeFiles {
  return codeFiles(imported(catalog, includeBuiltIn, ...crds).services, catalog, false);
}
