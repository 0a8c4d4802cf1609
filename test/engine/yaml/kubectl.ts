import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', '..', 'scripts', 'gitops-evaluators.mjs');
const UNAVAILABLE = 3;

/** The documents and objects that kubectl reads in a text. */
export interface KubectlAnswer {
  readonly documents: readonly unknown[];
  /** The error that ends its reading: documents before it are read. */
  readonly error?: string;
  readonly objects: readonly Record<string, unknown>[];
  readonly objectErrors?: readonly string[];
}

const program = find();

/** Tests that need kubectl's libraries. */
export const describeWithKubectl: jest.Describe = program === undefined ? describe.skip : describe;

/** The answers of kubectl's own libraries about each text. */
export function kubectlReads(texts: readonly string[]): KubectlAnswer[] {
  const input = texts.map((text) => JSON.stringify(text)).join('\n');
  const { status, stdout, stderr } = spawnSync(program!, [], { input, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
  if (status !== 0) throw new Error(`kubectl-yaml: ${stderr}`);
  return stdout.trim().split('\n').map((line) => JSON.parse(line) as KubectlAnswer);
}

/** The program in the cache of scripts/gitops-evaluators.mjs; tests build nothing. Undefined, and a line about it, where there is none. */
function find(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--cached'], { encoding: 'utf8' });
  if (status === 0) return join(stdout.trim(), 'kubectl-yaml');
  if (status !== UNAVAILABLE) throw new Error(stderr.trim());
  process.stderr.write(`what kubectl reads is not tested: ${stderr.trim()}\n`);
  return undefined;
}
