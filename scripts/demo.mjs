// Synthesizes examples/onboarding with the CDK8s CLI and brings it to Ready in the sandbox: no Azure, no cluster, no network.
// Arguments are passed on to `cdk8s-aso sandbox`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const example = join(root, 'examples', 'onboarding');
const dist = join(example, 'dist');
const cli = join(root, 'lib', 'cli', 'main.js');

function run(title, command, args, cwd, env = process.env) {
  console.log(`\n$ ${title}`);
  const { status, signal, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

if (!existsSync(cli)) {
  console.error('demo: lib/cli/main.js is not there; build it first: npx projen make');
  process.exit(1);
}
rmSync(dist, { recursive: true, force: true });
// The CDK8s CLI asks the registry for a newer version of itself unless it is told not to.
const cdk8s = join(root, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');
run('cdk8s synth', process.execPath, [cdk8s, 'synth', '--no-check-upgrade'], example);
const files = readdirSync(dist).filter((file) => file.endsWith('.yaml')).sort().map((file) => relative(root, join(dist, file)));
run(`cdk8s-aso sandbox ${relative(root, dist)}/*.yaml`, process.execPath, [cli, 'sandbox', ...process.argv.slice(2), ...files], root);
