import type { Environment } from '../model/environment';
import type { Team, TeamOverrides } from '../model/team';

/** Where a team is. */
export interface TeamPresence {
  /** The team. */
  readonly team: Team;
  /**
   * The environments in which it is.
   * @default - all of the platform
   */
  readonly environments?: Environment[];
  /**
   * What differs, by name of the environment with its instance (`dev01`), e.g. a larger quota in `prd01`.
   * @default - nothing
   */
  readonly overrides?: { [environment: string]: TeamOverrides };
}
