import type { Evaluated } from '../evaluate';
import type { ResourceCredential } from '../facts';

/** The public facts of a resource, without those that only the rules use. */
export function plainResource(evaluated: Evaluated): ResourceCredential {
  const { object: _object, subscriptions: _subscriptions, trustProblem: _trustProblem, ...facts } = evaluated;
  return facts;
}
