import { azureAnswers } from './azure-answers';
import { credentials } from './credentials';
import { driftAndWaits } from './drift-and-waits';
import { guardRails } from './guard-rails';
import { hostileBodies } from './hostile-bodies';
import { namesAndIds } from './names-and-ids';
import { ports } from './ports';
import { startUp } from './start-up';
import { tenantsCode } from './tenants-code';
import { texts } from './texts';
import { waitsForOthers } from './waits-for-others';
import type { Attack } from '../attack';

/** The whole table, by area. */
export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'Lists that come late, in pieces or never': startUp,
  'Answers that are not Azure\'s': azureAnswers,
  'Names and ids that point elsewhere': namesAndIds,
  'Drift, stuck operations and waits': driftAndWaits,
  'Waits for what another tenant does': waitsForOthers,
  'Expressions, certificates and large objects': tenantsCode,
  'Texts of others, and a leader that was deposed': texts,
  'The webhook port and the port of the probes': ports,
  'Attempts of a team against its guard rails': guardRails,
  'Credentials and exports': credentials,
  'Answers without measure': hostileBodies,
};
