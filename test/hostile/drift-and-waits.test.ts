import { driftAndWaits } from './rows/drift-and-waits';
import { runAttacks } from './run-attacks';

runAttacks('Drift, stuck operations and waits', driftAndWaits);
