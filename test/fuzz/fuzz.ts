import type { Entrance } from './entrance';
import { Random } from '../simulation/random';

/** An input that was not taken as it should be. */
export interface Finding {
  readonly entrance: string;
  readonly index: number;
  readonly what: string;
  readonly input: unknown;
}

export interface Tally {
  readonly entrance: string;
  readonly inputs: number;
  /** Inputs that the product refused with an error of its own. */
  readonly refused: number;
  readonly longestMs: number;
  /** Of the processor, for making the inputs and taking them. */
  readonly cpuMs: number;
  readonly findings: readonly Finding[];
}

/** How far it has come, before it takes an input. */
export interface Progress extends Pick<Tally, 'refused' | 'longestMs' | 'cpuMs'> {
  readonly at: number;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** Time in ms after which a run counts as a hang. Default: that of the entrance, or 100. */
  readonly longestMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

const MOST_FINDINGS = 20;

/** The input of an entrance by its number. */
export function inputOf(entrance: Entrance, seed: number, index: number): unknown {
  return entrance.make(new Random(seed * 1_000_003 + index));
}

/** Lets so many inputs in. */
export async function fuzz(entrance: Entrance, options: FuzzOptions): Promise<Tally> {
  const { seed, from, count, longestMs = entrance.longestMs ?? 100, onProgress } = options;
  const findings: Finding[] = [];
  let refused = 0;
  let longest = 0;
  let taken = 0;
  const began = process.cpuUsage();
  for (let index = from; index < from + count && findings.length < MOST_FINDINGS; index += 1) {
    onProgress?.({ at: index, refused, longestMs: longest, cpuMs: msSince(began) });
    taken += 1;
    const input = inputOf(entrance, seed, index);
    const result = await enter(entrance, input);
    if (result.refused) refused += 1;
    let took = result.ms;
    // The first calls are not compiled yet, and a garbage collection falls on anybody: the quickest of four.
    for (let again = 0; again < 3 && took > longestMs; again += 1) took = Math.min(took, (await enter(entrance, input)).ms);
    longest = Math.max(longest, took);
    const what = result.crash ?? (took > longestMs ? `took ${Math.round(took)} ms` : undefined);
    if (what !== undefined) findings.push({ entrance: entrance.name, index, what, input });
  }
  return { entrance: entrance.name, inputs: taken, refused, longestMs: longest, cpuMs: msSince(began), findings };
}

/** Takes one input; answers how much of a processor it took, which other work on the machine does not change, and what went wrong. */
export async function enter(
  { enter: take, expected }: Entrance,
  input: unknown,
): Promise<{ ms: number; refused: boolean; crash?: string }> {
  const began = process.cpuUsage();
  try {
    await take(input);
    return { ms: msSince(began), refused: false };
  } catch (error) {
    const ms = msSince(began);
    if (error instanceof Error && expected?.(error)) return { ms, refused: true };
    return { ms, refused: false, crash: error instanceof Error ? error.stack ?? error.message : String(error) };
  }
}

function msSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
