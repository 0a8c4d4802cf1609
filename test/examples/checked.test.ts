import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommandLine } from '../../cli/command-line';
import { captured } from '../cli/capture';

const examples = join(__dirname, '..', '..', 'examples');
const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-aso-checked-'));
const before = process.env.CDK8S_OUTDIR;
afterAll(() => {
  rmSync(outdir, { recursive: true, force: true });
  if (before === undefined) delete process.env.CDK8S_OUTDIR;
  else process.env.CDK8S_OUTDIR = before;
});

/** Examples with findings: the rules, and the reason. */
const EXCEPTIONS: Readonly<Record<string, { readonly rules: readonly string[]; readonly reason: string }>> = {
  'prefixed-platform': {
    rules: ['role-name-in-other-clusters'],
    reason: 'Its manifests are those of the templates that it replaces, and an assignment in use cannot be renamed. '
      + 'The names are unique: they begin with the name of the subscription.',
  },
};

// The manifests of examples/python are those of examples/onboarding (test/languages).
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'main.ts')));

test.each(names)('`check` has no finding about the manifests of %s', async (name) => {
  process.env.CDK8S_OUTDIR = join(outdir, name);
  await import(join(examples, name, 'main.ts'));
  const clusters = new Set(
    readdirSync(join(outdir, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml')).map((file) => dirname(join(outdir, name, file))),
  );
  expect(clusters.size).toBeGreaterThan(0);
  for (const cluster of clusters) {
    const terminal = captured();
    const status = await runCommandLine(['check', '--severity', 'info', '--output', 'json', cluster], '1.2.3', terminal);
    const { findings, suppressed } = JSON.parse(terminal.out.join('\n')) as { findings: { rule: string }[]; suppressed: unknown[] };
    expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(EXCEPTIONS[name]?.rules ?? []);
    expect([status, suppressed, terminal.err]).toEqual([0, [], []]);
  }
});

test('every exception is an example', () => {
  expect(Object.keys(EXCEPTIONS).filter((name) => !names.includes(name))).toEqual([]);
});
