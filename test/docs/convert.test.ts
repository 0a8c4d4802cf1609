import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileErrors } from './compile';
import { blocksOf } from './documents';
import { convert } from '../../cli/convert/convert';
import { kustomizeTool } from '../../cli/manifests/folders/kustomize-build';
import { captured } from '../cli/capture';

const [kustomization, platform, cluster] = blocksOf('docs/convert.md', 'yaml').map(({ code }) => code);
const [chart, main] = blocksOf('docs/convert.md', 'typescript').map(({ code }) => code);

(kustomizeTool() ? test : test.skip)('the page on convert shows what it writes for its folder', () => {
  const directory = mkdtempSync(join(tmpdir(), 'convert-page-'));
  try {
    const files = { 'kustomization.yaml': kustomization!, 'platform.yaml': platform!, 'cluster.yaml': cluster! };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const out = join(directory, 'app');
    const terminal = captured();
    expect(convert([directory], { out }, terminal)).toBe(0);
    expect(readFileSync(join(out, 'shop.ts'), 'utf8').replace('from kustomization.yaml', 'from shop/kustomization.yaml')).toBe(chart);
    expect(readFileSync(join(out, 'main.ts'), 'utf8')).toBe(main);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('what it shows compiles', () => {
  const whole = `${chart!}${main!.replace(/^import .*\n/gm, '')}`;
  expect(compileErrors([{ name: 'docs/convert.md', code: whole }])).toEqual([]);
});
