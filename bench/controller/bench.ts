import type { KubernetesObject } from '../../engine/kubernetes';
import type { AzureRequest, BenchEnvironment } from '../shared/environment/environment';
import type { ObjectsSeen } from '../shared/environment/objects-seen';
import type { Credential, Team } from '../shared/environment/teams';
import type { TestedController } from '../shared/environment/tested-controller';

/** One line of the result. */
export interface Row {
  readonly what: string;
  readonly value: number | string;
  readonly aim?: string;
}

/** State shared by the parts of the bench. */
export interface Bench {
  readonly environment: BenchEnvironment;
  readonly seen: ObjectsSeen;
  readonly controller: TestedController;
  readonly teams: readonly Team[];
  readonly credential: Credential;
  readonly subscriptions: number;
  readonly speed: number;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

export const APPLIED_AT_A_TIME = 8;
const PROGRESS_INTERVAL = 10_000;

/** Waits, tells how far things are, and gives up loudly. */
export async function wait(
  bench: Bench, what: string, progress: () => string | Promise<string>, done: () => boolean | Promise<boolean>, seconds: number,
): Promise<void> {
  const begun = Date.now();
  for (let reported = begun; !(await done());) {
    const { pid } = bench.controller; // throws when the controller has ended
    if (Date.now() - begun > seconds * 1000) {
      throw new Error(`waited ${seconds} s in vain until ${what}: ${await progress()} (controller: process ${pid})`);
    }
    if (Date.now() - reported > PROGRESS_INTERVAL) {
      reported = Date.now();
      bench.say(`${Math.round((reported - begun) / 1000)} s: ${await progress()}`);
    }
    await sleep(200);
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Some at a time, in order. */
export async function withConcurrency<T>(items: readonly T[], atATime: number, act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  await Promise.all(Array.from({ length: atATime }, async () => {
    for (const item of waiting) await act(item);
  }));
}

export async function applyTeam({ environment }: Bench, team: Team): Promise<void> {
  for (const object of team.core) await environment.apply(object);
}

export const objectsOf = (teams: readonly Team[]): KubernetesObject[] => teams.flatMap(({ objects }) => objects);

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** The value below which so many of a hundred are. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

/** `2.31 PUT, 1.2 GET, 0.4 polls` */
export function perObject(requests: readonly AzureRequest[], objects: number): string {
  const counts = new Map<string, number>();
  for (const { method, poll } of requests) counts.set(poll ? 'polls' : method, (counts.get(poll ? 'polls' : method) ?? 0) + 1);
  return [...counts].map(([method, count]) => `${round(count / objects, 2)} ${method}`).join(', ') || 'none';
}

export function countOf(requests: readonly AzureRequest[], method: string): number {
  return requests.filter((request) => request.method === method).length;
}
