import type { Direction, JournalState } from './journal-state';
import type { MigrationStep } from './migration-context';
import { preflightFromAso, type LookAt } from './preflight';
import { FROM_ASO } from './steps/from-aso';
import { preflightToAso } from './to-aso/preflight';
import { TO_ASO, TO_ASO_OF_USER, TO_ASO_TURNED } from './to-aso/steps';

/** A migration in one of its two directions. */
export interface Migration {
  readonly direction: Direction;
  readonly steps: readonly MigrationStep[];
  /** The steps without `--install`; absent: it is needed. */
  readonly stepsOfUser?: readonly MigrationStep[];
  readonly lookAt: LookAt;
  /** The controller that takes over, in questions. */
  readonly successor: string;
}

export const MIGRATIONS: Readonly<Record<Direction, Migration>> = {
  'from-aso': { direction: 'from-aso', steps: FROM_ASO, lookAt: preflightFromAso, successor: 'the new controller' },
  'to-aso': { direction: 'to-aso', steps: TO_ASO, stepsOfUser: TO_ASO_OF_USER, lookAt: preflightToAso, successor: 'ASO' },
};

/** The steps of a migration, with `--install` or without, from its beginning or turned round in the middle of the other direction. */
export function stepsOf(
  { steps, stepsOfUser = steps }: Migration, { installedByUser, turned }: Pick<JournalState, 'installedByUser' | 'turned'>,
): readonly MigrationStep[] {
  if (turned) return TO_ASO_TURNED;
  return installedByUser ? stepsOfUser : steps;
}
