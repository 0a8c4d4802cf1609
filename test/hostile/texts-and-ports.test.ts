import { textsAndPorts } from './rows/texts-and-ports';
import { runAttacks } from './run-attacks';

runAttacks('Texts, probes and the webhook port', textsAndPorts);
