import { tenantsCode } from './rows/tenants-code';
import { runAttacks } from './run-attacks';

runAttacks('Expressions, certificates and large objects', tenantsCode, { oneByOne: true });
