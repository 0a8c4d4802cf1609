import type { Environment } from '../model/environment';
import type { Team, TeamOverrides } from '../model/team';

/** The environments of a team. */
export interface TeamPresence {
  /** The team. */
  readonly team: Team;
  /**
   * The team's environments.
   * @default - all environments of the platform
   */
  readonly environments?: Environment[];
  /**
   * Settings that differ by environment with its instance (`dev01`), e.g. a larger quota in `prd01`.
   * @default - none
   */
  readonly overrides?: { [environment: string]: TeamOverrides };
}
