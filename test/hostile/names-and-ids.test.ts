import { namesAndIds } from './rows/names-and-ids';
import { runAttacks } from './run-attacks';

runAttacks('Names and ids that point elsewhere', namesAndIds);
