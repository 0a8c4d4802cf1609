import { edit, type SourceMutant } from '../by-suites';

const RECONCILER = 'test/composer/reconcile/claim-reconciler.test.ts';
const SIMULATION = 'test/composer/simulation/short.test.ts';
const DECIDE = 'composer/apply/decide.ts';

/** Careless changes of the composer. */
export const COMPOSER: readonly SourceMutant[] = [
  {
    name: 'an object of another is applied without a look at its owner',
    edits: [edit(DECIDE, 'if (!entry || !isOwn(object, entry, name)) return existsStep', 'if (!entry) return existsStep')],
    suites: [RECONCILER, SIMULATION],
  },
  {
    name: 'an object whose uid is not known yet counts as the claim\'s without its marks',
    edits: [edit(
      DECIDE,
      'entry.uid === undefined ? isMarked(object, claim) : entry.uid === uid',
      'entry.uid === undefined || entry.uid === uid',
    )],
    suites: [SIMULATION],
  },
  {
    name: 'objects that others have made under a listed name are deleted with the claim',
    edits: [edit(
      DECIDE,
      "found.state === 'present' && isOwn(found.object, entry, name) ? found.object",
      "found.state === 'present' ? found.object",
    )],
    suites: [RECONCILER, SIMULATION],
  },
  {
    name: 'the lowest wave is deleted first',
    edits: [edit(DECIDE, 'const wave = Math.max(', 'const wave = Math.min(')],
    suites: [RECONCILER, SIMULATION],
  },
  {
    name: 'objects are not listed before they are created',
    edits: [edit(DECIDE, '    ?? inventoryStep(observed, desired)\n', '')],
    suites: [RECONCILER, SIMULATION],
  },
  {
    name: 'an object that the cache does not know counts as absent',
    edits: [edit(
      DECIDE,
      "    if (found.state === 'unknown') {\n      return problemStep(",
      "    if (found.state === 'unknown' && found.why === '') {\n      return problemStep(",
    )],
    suites: [RECONCILER],
  },
  {
    name: 'a claim that others need is deleted',
    edits: [edit(DECIDE, 'if (holders.length > 0 && !isKindLeaving) return', 'if (holders.length > 1 && !isKindLeaving) return')],
    suites: [RECONCILER],
  },
  {
    name: 'a claim that goes with its CRD takes its objects with it',
    edits: [edit(DECIDE, 'if (inventory.length > 0 && !isKindLeaving) return', 'if (inventory.length > 0) return')],
    suites: [RECONCILER],
  },
  {
    name: 'objects are deleted by their name alone',
    edits: [edit('composer/reconcile/step-runner.ts', 'entry.namespace || undefined, { uid });', 'entry.namespace || undefined);')],
    suites: [SIMULATION],
  },
  {
    name: 'a create takes over an object that exists',
    edits: [edit(
      'composer/reconcile/step-runner.ts',
      '{ ...manifest.metadata, ...(uid === undefined ? { resourceVersion: CREATE_ONLY } : { uid }) }',
      '{ ...manifest.metadata, ...(uid === undefined ? {} : { uid }) }',
    )],
    suites: [SIMULATION],
  },
  {
    name: 'a conflict counts as a refusal',
    edits: [edit('composer/apply/failures.ts', 'status === 401 || status === 409 || status === 429', 'status === 401 || status === 429')],
    suites: ['test/composer/apply/failures.test.ts'],
  },
  {
    name: 'what somebody has changed in an object is left so',
    edits: [edit('composer/apply/differs.ts', 'return live.metadata.generation !== entry.generation;', 'return false;')],
    suites: ['test/composer/apply/differs.test.ts', SIMULATION],
  },
  {
    name: 'the status of a claim stays as it was',
    edits: [edit(
      'composer/reconcile/claim-reconciler.ts',
      'if (jsonEquals(before, next)) return undefined;',
      'if (before !== next) return undefined;',
    )],
    suites: [RECONCILER, SIMULATION],
  },
  {
    name: 'a claim whose objects were refused is Synced',
    edits: [edit(
      'composer/reconcile/claim-reconciler.ts',
      "rendered !== undefined && !problem && last.step !== 'problem'",
      'rendered !== undefined',
    )],
    suites: [RECONCILER],
  },
  {
    name: 'all claims take a new revision at once',
    edits: [edit('composer/reconcile/rollout.ts', 'return this.taken.has(uid) || this.passed.has(uid);', 'return true;')],
    suites: ['test/composer/reconcile/rollout.test.ts'],
  },
  {
    name: 'a rollout goes on past a claim that the revision breaks',
    edits: [edit('composer/reconcile/rollout.ts', 'if (!this.problem && (isUsers || this.mayGoOn(claim))) {', 'if (!this.problem) {')],
    suites: ['test/composer/reconcile/rollout.test.ts'],
  },
  {
    name: 'claims of another composer are worked on',
    edits: [edit(
      'composer/process/definition-owner.ts',
      "owner === undefined || owner === '' || owner === this.self",
      'owner !== undefined || owner === this.self',
    )],
    suites: ['test/composer/process/definition-owner.test.ts'],
  },
  {
    name: 'claims are worked on before their CRD is known to be this composer\'s',
    edits: [edit(
      'composer/reconcile/composer-controller.ts',
      'if (!this.options.isOurs(key.group, key.kind)) return',
      'if (key.kind === "") return',
    )],
    suites: ['test/composer/reconcile/composer-controller.test.ts'],
  },
  {
    name: 'a Secret can be read by compose',
    edits: [edit('composer/render/object-reads.ts', " && !(group === '' && kind === 'Secret')", '')],
    suites: ['test/composer/reconcile/reads.test.ts'],
  },
  {
    name: 'a review refuses a claim because the composer is busy',
    edits: [edit(
      'composer/webhooks/claim-review.ts',
      'return OF_THE_COMPOSER.has(problem.reason) ? {',
      'return problem.reason === undefined ? {',
    )],
    suites: ['test/composer/webhooks/claim-review.test.ts'],
  },
  {
    name: 'an object that is being deleted counts as ready',
    edits: [edit('composer/status/readiness.ts', "isReady: false, reason: 'Deleting'", "isReady: true, reason: 'Deleting'")],
    suites: ['test/composer/status/readiness.test.ts'],
  },
  {
    name: 'a process that has lost its Lease writes on',
    edits: [edit(
      'composer/process/composer-process.ts',
      'return this.options.leaderElect ? this.leases.isCurrent : !',
      'return this.options.leaderElect || !',
    )],
    suites: ['test/composer/process/lost-lease.test.ts'],
  },
  {
    name: 'a rollout goes on by the annotation of any revision',
    edits: [edit(
      'composer/reconcile/rollout.ts',
      'annotations?.[CONTINUE_ROLLOUT] === this.options.revision',
      'annotations?.[CONTINUE_ROLLOUT] !== undefined',
    )],
    suites: ['test/composer/reconcile/rollout.test.ts'],
  },
  {
    name: 'a composer of several kinds writes before it holds all Leases',
    edits: [edit('composer/process/leases.ts', 'this.held.length === this.options.kinds.length && this', 'this')],
    suites: ['test/composer/process/leases.test.ts'],
  },
  {
    name: 'an object that was made again meanwhile is deleted with its claim',
    edits: [edit(
      'composer/reconcile/step-runner.ts',
      'entry.namespace || undefined, { uid });',
      'entry.namespace || undefined);',
    )],
    suites: ['test/composer/reconcile/claim-reconciler.test.ts'],
  },
];
