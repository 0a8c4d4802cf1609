import type { Direction, JournalState } from './journal-state';

/** The command that leads back from the present state of a migration. */
export type WayBack =
  /** `migrate abort`: the old controller reconciles again. */
  | 'abort'
  /** `migrate abort`, as long as the step that begins next has changed nothing. */
  | 'abort-perhaps'
  /** The other direction, begun now. */
  | 'turn-round'
  /** The other direction, after this one has ended. */
  | 'end-first';

/** The step of a direction after which the old controller cannot go on, and the one before it. */
export const POINT_OF_NO_ABORT: Readonly<Record<Direction, { readonly last: string; readonly next: string }>> = {
  'from-aso': { last: 'owner-references', next: 'replace-crds' },
  'to-aso': { last: 'release-credentials', next: 'remove-controller' },
};

type WayState = Pick<JournalState, 'direction' | 'done' | 'turned' | 'pointOfNoAbort'>;

/** The way back as the journal shows it; the cluster decides where it says `abort-perhaps`. Pure. */
export function wayBackOf({ direction, done, turned, pointOfNoAbort }: WayState): WayBack {
  if (turned) return 'end-first';
  const { last, next } = POINT_OF_NO_ABORT[direction];
  if (!pointOfNoAbort && !done.includes(last)) return 'abort';
  if (!pointOfNoAbort && !done.includes(next)) return 'abort-perhaps';
  return direction === 'from-aso' ? 'turn-round' : 'end-first';
}

const INSTALL: Readonly<Record<Direction, string>> = {
  'from-aso': '--install dist/controller.k8s.yaml',
  'to-aso': '--install aso-crds.yaml --install aso-chart.yaml',
};

/** Command with which a migration goes on. */
export function goOnCommand({ direction, installedByUser, abortedAt }: Pick<JournalState, 'direction' | 'installedByUser' | 'abortedAt'>): string {
  if (abortedAt !== undefined) return 'cdk8s-aso migrate abort --run';
  return `cdk8s-aso migrate ${direction} --run${installedByUser ? '' : ` ${INSTALL[direction]}`}`;
}

/** Sentence about the way back. */
export function wayBackText(state: WayState & Pick<JournalState, 'abortedAt'>): string {
  if (state.abortedAt !== undefined) return 'It is being taken back.';
  const why = state.turned ? 'the migration was turned round' : `the step ${POINT_OF_NO_ABORT[state.direction].next} has begun`;
  return sentenceOf(state, ` (migrate abort cannot: ${why})`);
}

/** Sentence about the way back of a migration that abort does not take back, for another reason than the journal may show. */
export function otherWayBack(state: WayState): string {
  return sentenceOf({ ...state, pointOfNoAbort: true }, '');
}

/** @param why why it is not `migrate abort`, where it is not */
function sentenceOf(state: WayState, why: string): string {
  const { next } = POINT_OF_NO_ABORT[state.direction];
  const other: Direction = state.direction === 'from-aso' ? 'to-aso' : 'from-aso';
  const back = `cdk8s-aso migrate ${other} --run ${INSTALL[other]}`;
  switch (wayBackOf(state)) {
    case 'abort':
      return `Back: cdk8s-aso migrate abort --run starts ${state.direction === 'from-aso' ? 'ASO' : 'the controller of this package'} again, with all objects as they were.`;
    case 'abort-perhaps':
      return `Back: cdk8s-aso migrate abort --run, if the step ${next} has changed nothing yet; else ${back}${state.direction === 'from-aso' ? '' : ' after the end of this migration'}.`;
    case 'turn-round':
      return `Back: ${back}${why}.`;
    case 'end-first':
      return `Back: after the end of this migration, ${back}${why}.`;
  }
}

/** Lines about an unfinished migration: what is, how it goes on, what leads back. */
export function noteOf(state: JournalState): string[] {
  const { direction, startedAt, finishedAt, abortedAt, done, undone = [], failed } = state;
  const title = `Migration ${direction}, begun at ${startedAt}`;
  if (finishedAt !== undefined) return [`${title}, ${abortedAt === undefined ? 'finished' : 'taken back'} at ${finishedAt}.`];
  const steps = abortedAt === undefined ? done : undone;
  return [
    `${title}, not finished${abortedAt === undefined ? '' : `; it is being taken back since ${abortedAt}`}. No controller reconciles.`,
    `Done: ${steps.join(', ') || 'nothing'}.`,
    ...(failed ? [`The last run ended in the step ${failed.step}: ${failed.message}`] : []),
    `On: ${goOnCommand(state)}`,
    ...(abortedAt === undefined ? [wayBackText(state)] : []),
  ];
}
