import type { MigratedKind } from './migrated-kinds';
import { isSettings, type WatcherSettings } from './watcher-settings';
import { isRecord } from '../../src/util/records';

export const FORMAT = 'cdk8s-aso/migration/1';

export type Direction = 'from-aso' | 'to-aso';

/** State of a migration, as the cluster keeps it. */
export interface JournalState {
  readonly format: typeof FORMAT;
  readonly id: string;
  readonly direction: Direction;
  /** The cluster, by the uid of its namespace kube-system: a backup may bring a journal to another one. */
  readonly cluster: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly kinds: readonly MigratedKind[];
  /** Steps that are done, in their order. */
  readonly done: readonly string[];
  /** CRDs that have a record of versions. */
  readonly recorded?: readonly string[];
  /** CRDs whose objects are all rewritten. */
  readonly rewritten: readonly string[];
  /** The release of ASO that the cluster had before; absent: it is not known. */
  readonly asoRelease?: string;
  /** Name of ASO's Helm release; absent: it was not installed with Helm. */
  readonly helmRelease?: string;
  /** The user installs ASO, in the middle of the migration; absent: the migration applies `--install`. */
  readonly installedByUser?: true;
  /** The settings of the old controller before its watchers were stopped; absent: they were not stopped by this migration. */
  readonly watchers?: readonly WatcherSettings[];
  /** Since when the migration is taken back; absent: it is not. */
  readonly abortedAt?: string;
  /** Steps of the way back that are done, in their order. */
  readonly undone?: readonly string[];
  /** CRDs whose objects are all stored in ASO's form again. */
  readonly returned?: readonly string[];
  /** The way to ASO that begins in the middle of the way from ASO. */
  readonly turned?: true;
  /**
   * The step after which the old controller cannot go on has begun to write: what it has changed so far, the cluster does not always show.
   * Absent: `migrate abort` leads back.
   */
  readonly pointOfNoAbort?: true;
  /** How the last run ended, where it did not end well. */
  readonly failed?: { readonly step: string; readonly message: string };
}

/** Names of Kubernetes, and versions of kinds: what a journal has is used in paths and selectors. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/;
const STEP = /^[a-z-]{1,40}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/;
const MEMBERS = ['crd', 'group', 'plural', 'from', 'to'] as const;

/** The state in the text of a journal, or a reason why it is none. Everybody who can write ConfigMaps can edit a journal. */
export function parsedState(text: string): JournalState | string {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    state = undefined;
  }
  if (!isRecord(state)) return 'it is no JSON object';
  if (state.format !== FORMAT) return 'it was written by another release of this program: go on with that one';
  const wrong = [
    ['direction', state.direction === 'from-aso' || state.direction === 'to-aso'],
    ['id', matches(NAME, state.id)],
    ['cluster', matches(NAME, state.cluster)],
    ['startedAt', matches(TIME, state.startedAt)],
    ['finishedAt', state.finishedAt === undefined || matches(TIME, state.finishedAt)],
    ['kinds', isListOf(state.kinds, isKind)],
    ['done', isListOf(state.done, (each) => matches(STEP, each))],
    ['recorded', state.recorded === undefined || isListOf(state.recorded, (each) => matches(NAME, each))],
    ['rewritten', isListOf(state.rewritten, (each) => matches(NAME, each))],
    ['asoRelease', state.asoRelease === undefined || matches(NAME, state.asoRelease)],
    ['helmRelease', state.helmRelease === undefined || matches(NAME, state.helmRelease)],
    ['installedByUser', state.installedByUser === undefined || state.installedByUser === true],
    ['watchers', state.watchers === undefined || isListOf(state.watchers, isSettings)],
    ['abortedAt', state.abortedAt === undefined || matches(TIME, state.abortedAt)],
    ['undone', state.undone === undefined || isListOf(state.undone, (each) => matches(STEP, each))],
    ['returned', state.returned === undefined || isListOf(state.returned, (each) => matches(NAME, each))],
    ['turned', state.turned === undefined || state.turned === true],
    ['pointOfNoAbort', state.pointOfNoAbort === undefined || state.pointOfNoAbort === true],
    ['failed', state.failed === undefined || isFailure(state.failed)],
  ].filter(([, isRight]) => !isRight).map(([name]) => name);
  return wrong.length > 0 ? `it was edited: ${wrong.join(', ')}` : state as unknown as JournalState;
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isFailure(value: unknown): boolean {
  return isRecord(value) && matches(STEP, value.step) && typeof value.message === 'string';
}

function isKind(value: unknown): value is MigratedKind {
  return isRecord(value) && matches(KIND, value.kind) && MEMBERS.every((member) => matches(NAME, value[member]));
}
