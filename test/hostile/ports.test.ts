import { ports } from './rows/ports';
import { runAttacks } from './run-attacks';

runAttacks('The webhook port and the port of the probes', ports, { oneByOne: true });
