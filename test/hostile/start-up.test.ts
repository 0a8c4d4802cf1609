import { startUp } from './rows/start-up';
import { runAttacks } from './run-attacks';

runAttacks('Lists that come late, in pieces or never', startUp);
