import { hostileBodies } from './rows/hostile-bodies';
import { runAttacks } from './run-attacks';

// One after the other: the memory of the process is measured.
runAttacks('Answers without measure', hostileBodies, { oneByOne: true });
