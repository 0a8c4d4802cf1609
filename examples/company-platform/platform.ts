import { service } from './service';
import { team } from './team';

/** The kinds of the company's platform: one bundle, one composer. */
export default [team, service];
