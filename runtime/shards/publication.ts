import type { View } from './view';
import { isRecord, isText } from '../../src/util/records';

/**
 * The version of the protocol: hash, keys, terms and this annotation. Replicas of another one count as owners of everything, so a new
 * version takes over from the old one as a whole.
 */
const PROTOCOL = 1;

/** How many replicas may be active. */
export type ShardCount = 'auto' | number;

/** The state of a member. Only its view says what it claims. */
export type Phase =
  /** Enough others are active. */
  | 'standby'
  /** Fills its caches, and will be active. */
  | 'joining'
  | 'active'
  /** Ends its work; the others fill their caches. */
  | 'leaving';

const PHASES: readonly unknown[] = ['standby', 'joining', 'active', 'leaving'] satisfies Phase[];

/** The content of a member's annotation. */
export interface Publication {
  readonly phase: Phase;
  readonly view: View;
  /** Namespaces that its settings split. A view splits what any of its members wants to split. */
  readonly wantsSplit: readonly string[];
  /** For people. */
  readonly shards: ShardCount;
  readonly version: string;
}

/** Of the texts of another replica. More is a publication that cannot be read. */
const MAX_TEXT = 65_536;
const MAX_NAME = 253;
/** Of the members of a view: more replicas stand by. */
export const MAX_MEMBERS = 100;
/** Of the namespaces that one replica wants to split. */
export const MAX_WANTED_SPLIT = 50;
/** Of the namespaces of a view. */
export const MAX_SPLIT = 200;

export function publicationText({ phase, view, wantsSplit, shards, version }: Publication): string {
  const { members, split } = view;
  return JSON.stringify({ protocol: PROTOCOL, phase, members, split, wantsSplit, shards, version });
}

/** @returns undefined: not to be understood, which others have to take for a claim to everything */
export function parsePublication(text: string | undefined): Publication | undefined {
  if (text === undefined || text.length > MAX_TEXT) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.protocol !== PROTOCOL) return undefined;
  const { phase, members, split, wantsSplit, shards, version } = value;
  if (!PHASES.includes(phase) || !areNames(members, MAX_MEMBERS) || !areNames(split, MAX_SPLIT)) return undefined;
  if (!areNames(wantsSplit, MAX_WANTED_SPLIT) || !isShardCount(shards) || !isText(version)) return undefined;
  return { phase: phase as Phase, view: { members: sorted(members), split: sorted(split) }, wantsSplit, shards, version };
}

function areNames(value: unknown, most: number): value is string[] {
  return Array.isArray(value) && value.length <= most && value.every((name) => isText(name) && name !== '' && name.length <= MAX_NAME);
}

function isShardCount(value: unknown): value is ShardCount {
  return value === 'auto' || (Number.isInteger(value) && (value as number) >= 1);
}

/** The namespaces that a replica may ask to split: the first by name, the same in every replica. */
export function splittable(namespaces: Iterable<string>): string[] {
  return sorted(namespaces).slice(0, MAX_WANTED_SPLIT);
}

/** Sorted, each once: views are compared as lists. */
export function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}
