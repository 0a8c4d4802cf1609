import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { FluxHealthExpressions } from '../../src/gitops';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'gitops-evaluators.mjs');
const UNAVAILABLE = 3;

/** A verdict of a tool: its word for the health, and a text. */
export interface Verdict {
  readonly status: string;
  readonly message?: string;
}

/** The verdicts on one object. */
export interface Verdicts {
  readonly argo: Verdict;
  readonly flux: Verdict;
  readonly kstatus: Verdict;
}

interface Settings {
  /** Data of Argo CD's ConfigMap. */
  readonly configMap?: Record<string, string>;
  readonly expressions?: readonly FluxHealthExpressions[];
}

const program = find();

/** Tests that need the libraries of Argo CD and Flux. */
export const describeWithEvaluators: jest.Describe = program === undefined ? describe.skip : describe;

/** The verdicts of Argo CD, Flux and kstatus on each object, by their own libraries. */
export function verdictsOn(objects: readonly object[], { configMap = {}, expressions = [] }: Settings): Verdicts[] {
  const input = JSON.stringify({ configMap, expressions, objects });
  const { status, stdout, stderr } = spawnSync(program!, [], { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 60_000 });
  if (status !== 0) throw new Error(`gitops-evaluators: ${stderr}`);
  return JSON.parse(stdout) as Verdicts[];
}

/** The program in the cache of scripts/gitops-evaluators.mjs; tests build nothing. Undefined, and a line about it, where there is none. */
function find(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--cached'], { encoding: 'utf8' });
  if (status === 0) return join(stdout.trim(), 'gitops-evaluators');
  if (status !== UNAVAILABLE) throw new Error(stderr.trim());
  process.stderr.write(`the verdicts of Argo CD and Flux are not tested: ${stderr.trim()}\n`);
  return undefined;
}
