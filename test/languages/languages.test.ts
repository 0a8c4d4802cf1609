import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that were written once in TypeScript and once in another language: both have to give the same files. */

const root = join(__dirname, '..', '..');
const programs = join(__dirname, 'programs');
const TYPESCRIPT: Record<string, string> = {
  first: join(programs, 'first.ts'),
  shapes: join(programs, 'shapes.ts'),
  onboarding: join(root, 'examples', 'onboarding', 'main.ts'),
  webShop: join(root, 'examples', 'web-shop', 'main.ts'),
};

interface Status {
  /** Name of a program → the command that runs it. */
  readonly programs?: Record<string, string[]>;
  readonly missing?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'cdk8s-aso-twins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function execute([command, ...args]: string[], outdir: string) {
  // The constructs run in Node.js whatever the program is written in: in the one that runs the tests.
  const env = { ...process.env, CDK8S_OUTDIR: outdir, JSII_NODE: process.execPath, PYTHONDONTWRITEBYTECODE: '1' };
  return spawnSync(command!, args, { cwd: root, encoding: 'utf8', env });
}

/** File → text, of what a program synthesizes. */
function synthesized(label: string, command: string[]): Record<string, string> {
  const outdir = join(folder, label);
  const { status, stdout, stderr, error } = execute(command, outdir);
  if (error || status !== 0) throw new Error(`${command.join(' ')}\nended with ${status}: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return Object.fromEntries(readdirSync(outdir).sort().map((file) => [file, readFileSync(join(outdir, file), 'utf8')]));
}

const checked = spawnSync(process.execPath, [join(root, 'scripts', 'languages.mjs'), '--check'], { encoding: 'utf8' });
const statuses = Object.entries(JSON.parse(checked.stdout) as Record<string, Status>);
const missing = statuses.filter(([, status]) => status.missing).map(([language, status]) => `${language} (${status.missing})`);
if (missing.length > 0) process.stderr.write(`test/languages: skipped ${missing.join('; ')}\n`);

describe.each(statuses)('%s', (language, { programs: commands, missing: reason }) => {
  if (!commands) {
    test.skip(`twins: ${reason}`, () => undefined);
    return;
  }

  test.each(Object.entries(commands))('%s gives what it gives in TypeScript', (name, command) => {
    const twin = synthesized(`${name}.typescript`, [process.execPath, '--import', 'tsx', TYPESCRIPT[name]!]);
    expect(Object.keys(twin).length).toBeGreaterThan(0);
    expect(synthesized(`${name}.${language}`, command)).toEqual(twin);
  });
});

const python = statuses.find(([language]) => language === 'python')?.[1].programs?.first![0];
(python ? describe : describe.skip)('in Python', () => {
  const inChart = (lines: string[]) =>
    execute(
      [
        python!,
        '-c',
        [
          'from cdk8s import App, Chart',
          'from cdk8s_aso import network, resources',
          'app = App()',
          "chart = Chart(app, 'c')",
          ...lines,
        ].join('\n'),
      ],
      join(folder, 'python'),
    );

  test('what a check finds is an error that names the construct and the cure', () => {
    const { status, stderr } = inChart([
      "group = resources.ResourceGroup(chart, 'group', location='uksouth')",
      "network.VirtualNetworksSubnet(chart, 'subnet', owner=group, address_prefix='10.0.0.0/24')",
      'app.synth()',
    ]);
    expect(status).not.toBe(0);
    expect(stderr).toContain('[c/subnet] VirtualNetworksSubnet owner: a VirtualNetworksSubnet cannot be owned by a ResourceGroup');
    expect(stderr).toContain('Give a VirtualNetwork of network.azure.com');
  });

  test('a value of the wrong type is refused at the call', () => {
    const { status, stderr } = inChart(["resources.ResourceGroup(chart, 'group', location=3)"]);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/TypeError: type of argument location must be one of \(str, NoneType\); got int instead/);
  });
});

describe('docs/languages.md', () => {
  const text = readFileSync(join(root, 'docs', 'languages.md'), 'utf8');

  test.each(['first.ts', 'first.py', 'First.java', 'first.go'])('shows the program that is compared: %s', (file) => {
    expect(text).toContain(`\n${readFileSync(join(programs, file), 'utf8')}\`\`\`\n`);
  });
});
