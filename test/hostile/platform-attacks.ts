/** An attack on one part, and the test that tries it. */
export interface AttackOnPart {
  readonly who: string;
  readonly what: string;
  readonly holds: string;
  /** File below `test`, and a part of the test's title. */
  readonly test: readonly [file: string, title: string];
}

const COMPOSE = 'composer/render/attacks.test.ts';
const RECONCILE = 'composer/reconcile/claim-reconciler.test.ts';
const ROLLOUT = 'composer/reconcile/rollout.test.ts';
const POSTGRESQL = 'controller/databases/access/postgresql.test.ts';

export const PLATFORM_ATTACKS: readonly AttackOnPart[] = [
  {
    who: 'a team',
    what: 'writes a member `__proto__`, or `constructor`, into a claim',
    holds: 'the one is refused, the other reaches no prototype',
    test: [COMPOSE, 'has a member __proto__ is refused'],
  },
  {
    who: 'a team',
    what: 'writes a text on which a pattern of the schema backtracks',
    holds: 'the check ends with the time of the definition, and claims of others do not wait',
    test: [COMPOSE, 'makes a pattern of the schema backtrack'],
  },
  {
    who: 'a team',
    what: 'nests a claim 9,000 levels deep, which the API server takes',
    holds: 'the condition says so',
    test: [RECONCILE, 'a claim that is nested more deeply than it can be written'],
  },
  {
    who: 'a team',
    what: 'has a claim compose an object of a name that somebody else has already',
    holds: 'the object stays as it is, with the name of its claim in the condition',
    test: [RECONCILE, 'an object that is there already is not taken over'],
  },
  {
    who: 'a team',
    what: 'reads values of such an object, or of a ConfigMap that it exports, in the status of its claim',
    holds: 'outputs and Ready say nothing of it',
    test: [RECONCILE, 'an object of somebody else gives no output'],
  },
  {
    who: 'a team',
    what: 'puts an object of the same name in the place of a composed one, and deletes the claim',
    holds: 'the object is left',
    test: [RECONCILE, 'an object that somebody has made again under the same name'],
  },
  {
    who: 'a team',
    what: 'keeps broken claims, at which the rollout of a new revision would pause',
    holds: 'the rollout goes on with the claims of others',
    test: [ROLLOUT, 'claims that have failed before, or that their users change'],
  },
  {
    who: 'a team',
    what: 'sets the annotation `aso.cdk8s.io/continue-rollout`, so that its claim keeps the old revision',
    holds: 'the claim takes the new one',
    test: [ROLLOUT, 'a user cannot keep the revision from a claim'],
  },
  {
    who: 'a pod that reaches the webhook port',
    what: 'sends reviews of claims of many namespaces',
    holds: 'claims of the cluster are composed meanwhile',
    test: ['composer/webhooks/claim-review.test.ts', 'reviews of many namespaces'],
  },
  {
    who: 'a definition',
    what: 'has a readiness expression that fails for a Secret, and quotes its value',
    holds: 'the condition withholds the error',
    test: ['composer/status/values.test.ts', 'an expression that fails for a Secret'],
  },
  {
    who: 'an Owner of a PostgreSQL database',
    what: 'makes an operator for the types of a statement of the controller',
    holds: 'it does not run with the rights of the server\'s administrator',
    test: [POSTGRESQL, 'that a user has made in the schema public'],
  },
  {
    who: 'a user of a PostgreSQL server',
    what: 'holds advisory locks, and rows of its own role',
    holds: 'accesses of others are made meanwhile',
    test: [POSTGRESQL, 'locks that a user holds'],
  },
  {
    who: 'an Owner of an Azure SQL database',
    what: 'makes a trigger for changes of users',
    holds: 'no user is changed, and the condition names the trigger',
    test: ['controller/databases/access/sql-server.test.ts', 'a trigger that an Owner has made'],
  },
];
