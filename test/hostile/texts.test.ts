import { texts } from './rows/texts';
import { runAttacks } from './run-attacks';

runAttacks('Texts of others, and a leader that was deposed', texts);
