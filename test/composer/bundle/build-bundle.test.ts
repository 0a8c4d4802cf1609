import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '../../../composer/bundle/build-bundle';
import { headerOf, revisionOf } from '../../../composer/bundle/bundle-header';
import { claimOf, rendererOf, VERSIONS } from '../render/bundles';

const definition = (name: string) => join(__dirname, 'definitions', `${name}.ts`);

describe('a bundle', () => {
  let bundle: Awaited<ReturnType<typeof buildBundle>>;
  beforeAll(async () => {
    bundle = await buildBundle(definition('box'));
  });

  test('has its versions in the first line, and no path of the machine', () => {
    expect(headerOf(bundle.code)).toEqual(VERSIONS);
    expect(bundle.code).not.toContain(join(__dirname, 'definitions'));
  });

  test('is the same at each build; its revision is a part of its hash', async () => {
    const again = await buildBundle(definition('box'));
    expect(again).toEqual(bundle);
    expect(revisionOf(bundle.code)).toBe(createHash('sha256').update(bundle.code).digest('hex').slice(0, 16));
  });

  test('renders claims, one after the other', async () => {
    const renderer = rendererOf(bundle.code);
    for (const size of [2, 3]) {
      const { rendered } = await renderer.compose(claimOf({ size }));
      expect(rendered!.objects.map(({ manifest }) => manifest.data)).toEqual([{ size: String(size) }]);
    }
    await expect(renderer.compose(claimOf({ size: 0 }))).resolves.toMatchObject({ problem: { reason: 'InvalidSpec', issues: [{ path: 'spec.size' }] } });
  });

  test('has a source map for the places of errors', async () => {
    const { problem } = await rendererOf(bundle.code).compose(claimOf({ size: 10 }));
    const [{ line, column }] = (problem as unknown as { readonly stack: readonly [{ line: number; column: number }] }).stack;
    const entry = new SourceMap(JSON.parse(bundle.map) as SourceMapPayload).findEntry(line - 1, column - 1);
    const lines = readFileSync(definition('box'), 'utf8').split('\n');
    expect(entry).toMatchObject({ originalSource: expect.stringContaining('box.ts'), originalLine: lines.findIndex((text) => text.includes('throw')) });
  });
});

test('a package that is not installed, and a mistake of syntax, are named with their place', async () => {
  await expect(buildBundle(definition('missing'))).rejects.toThrow(/^missing\.ts:3:25: Could not resolve "no-such-package"$/);
  const file = join(mkdtempSync(join(tmpdir(), 'definition-')), 'broken.ts');
  writeFileSync(file, 'export default {');
  await expect(buildBundle(file)).rejects.toThrow('cdk8s-aso is not installed in the project of the definition: npm install cdk8s-aso');
});
