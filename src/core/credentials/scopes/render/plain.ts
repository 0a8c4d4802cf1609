import type { Evaluated } from '../evaluate';
import type { ResourceCredential } from '../facts';

/** What is said of a resource, without what only the rules use. */
export function plainResource(evaluated: Evaluated): ResourceCredential {
  const { object: _object, subscriptions: _subscriptions, trustProblem: _trustProblem, ...facts } = evaluated;
  return facts;
}
