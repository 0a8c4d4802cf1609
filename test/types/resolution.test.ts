import { mkdtempSync, rmSync, symlinkSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'cdk8s-aso-resolution-'));
mkdirSync(join(project, 'node_modules'));
symlinkSync(root, join(project, 'node_modules', 'cdk8s-aso'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** `node10` is what an app of `cdk8s init` gets: it knows nothing of a package's `exports`. */
const modes = {
  node10: { moduleResolution: ts.ModuleResolutionKind.Node10, module: ts.ModuleKind.CommonJS },
  node16: { moduleResolution: ts.ModuleResolutionKind.Node16, module: ts.ModuleKind.Node16 },
  bundler: { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ES2022 },
};

describe.each(Object.entries(modes))('types with moduleResolution %s', (_mode, options) => {
  test.each([
    ['cdk8s-aso', 'lib/index.d.ts'],
    ['cdk8s-aso/storage', 'lib/services/storage/index.d.ts'],
    ['cdk8s-aso/assertions', 'lib/assertions/index.d.ts'],
  ])('%s', (name, file) => {
    const { resolvedModule } = ts.resolveModuleName(name, join(project, 'main.ts'), options, ts.sys);
    expect(resolvedModule?.resolvedFileName).toBe(join(root, file));
  });
});
