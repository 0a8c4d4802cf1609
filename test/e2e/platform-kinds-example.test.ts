import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithKubectl, kubectl, startSandbox } from './cluster';
import { builtProgram, startProgram } from './program';
import { until } from '../setup/until';

const root = join(__dirname, '..', '..');
const example = join(root, 'examples', 'platform-kinds');
const guide = readFileSync(join(root, 'docs', 'platform-kinds.md'), 'utf8').split('## Try it in the sandbox')[1]!.split('\n## ')[0]!;
/** The claim of an application team in the guide. */
const [, claim] = /```yaml\n(apiVersion: platform\.freight\.example\.com\/v1\nkind: Service\n[^`]*)```/.exec(readFileSync(join(root, 'docs', 'platform-kinds.md'), 'utf8'))!;

describeWithKubectl('the example of Team and Service in the sandbox', () => {
  test('becomes Ready by the commands of the guide, and with the claim that it shows', async () => {
    expect(claim!.trim().split('\n').length).toBeGreaterThanOrEqual(9);
    const existing = /--existing (\S+)/.exec(guide)![1]!;
    const sandbox = await startSandbox({ args: [join(example, 'platform.yaml'), '--existing', existing] });
    const composer = startProgram(
      builtProgram('cli'), ['api', 'run', 'platform.ts', '--install-crds', '--kubeconfig', sandbox.kubeconfig], { cwd: example },
    );
    try {
      await until('the composer works', () => composer.log().includes('leads namespace'));
      const commands = guide.split('\n').filter((line) => /^kubectl (apply|wait) /.test(line));
      expect(commands).toHaveLength(3);
      for (const command of commands) {
        kubectl(sandbox, ...command.split(' ').slice(1).map((word) => (word.endsWith('.yaml') ? join(example, word) : word)));
      }
      const wait = ['wait', '--for=condition=Ready', '--timeout=60s', '-n', 'dispatch'];
      kubectl(sandbox, ...wait, 'service.platform.freight.example.com/routes');
      expect(kubectl(sandbox, 'get', 'service.platform.freight.example.com', '-n', 'dispatch'))
        .toMatch(/^NAME +SYNCED +READY +REASON +AGE\nroutes +True +True +Ready +\d+s\n$/);
      kubectl(sandbox, 'apply', '-f', writeClaim(sandbox.kubeconfig));
      kubectl(sandbox, ...wait, 'service.platform.freight.example.com/routes');
    } finally {
      await composer.stop();
      await sandbox.close();
    }
  });
});

/** Beside the kubeconfig, which the sandbox removes. */
function writeClaim(kubeconfig: string): string {
  const file = join(kubeconfig, '..', 'service.yaml');
  writeFileSync(file, claim!);
  return file;
}
