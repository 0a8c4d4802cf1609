import { guardRails } from './rows/guard-rails';
import { runAttacks } from './run-attacks';

runAttacks('Attempts of a team against its guard rails', guardRails);
