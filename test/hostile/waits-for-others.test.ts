import { waitsForOthers } from './rows/waits-for-others';
import { runAttacks } from './run-attacks';

runAttacks('Waits for what another tenant does', waitsForOthers);
