import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { blocks } from './documents';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';

/** Blocks of YAML that are Kubernetes objects. Those with `refused` behind the language show a mistake. */
const manifests = blocks.filter(
  ({ language, code }) =>
    /^yaml\b/.test(language) && parseAllDocuments(code).some((document) => (document.toJS() as { apiVersion?: string } | null)?.apiVersion),
);

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'manifests-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Exit status and output of `cdk8s-aso check`. */
async function check(code: string): Promise<{ status: number; output: string }> {
  const file = join(folder, 'block.yaml');
  writeFileSync(file, code);
  const terminal = captured();
  const status = await runCommandLine(['check', file], '1.0.0', terminal);
  return { status, output: [...terminal.out, ...terminal.err].join('\n') };
}

test('there is something to check', () => expect(manifests.length).toBeGreaterThan(8));

test.each(manifests.map(({ name, language, code }) => [name, language, code]))('%s (%s)', async (_, language, code) => {
  const { status, output } = await check(code);
  expect({ status, output }).toEqual({ status: language.includes('refused') ? 1 : 0, output: expect.any(String) });
});

test('a mistake would be found', async () => {
  const ofAzure = manifests.find(({ code }) => /^apiVersion: \w+\.azure\.com\//m.test(code))!;
  const { status, output } = await check(ofAzure.code.replace(/^kind: .*$/m, 'kind: VirtualNetwrok'));
  expect(status).toBe(1);
  expect(output).toContain('unknown-kind');
});
