import { guardRails } from './rows/guard-rails';
import { runAttacks } from './run-attacks';

runAttacks('What a team tries against its guard rails', guardRails);
