import { credentials } from './rows/credentials';
import { runAttacks } from './run-attacks';

runAttacks('Credentials and exports', credentials);
