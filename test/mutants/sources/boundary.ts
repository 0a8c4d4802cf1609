import { edit, type SourceMutant } from '../by-suites';

const HOLDERS = 'test/engine/credentials/identity-holders.test.ts';
const SHARED = 'test/controller/reconcile/shared-resources.test.ts';

/** Breaches of what SECURITY.md promises: the boundary between namespaces, and what keeps processes and writers apart. */
export const BOUNDARY: readonly SourceMutant[] = [
  {
    name: 'controller/guard-rails: a Namespace that is ending is gone',
    edits: [edit(
      'controller/guard-rails/guard-rails.ts',
      'items.some(({ metadata }) => metadata.name === namespace);',
      'items.some(({ metadata }) => metadata.name === namespace && metadata.deletionTimestamp === undefined);',
    )],
    suites: ['test/controller/guard-rails/guard-rails.test.ts'],
  },
  {
    name: 'engine/workers: a namespace takes all threads',
    edits: [edit('engine/workers/worker-pool.ts', 'Math.max(1, size - 1)', 'size')],
    suites: ['test/engine/workers/worker-pool.test.ts'],
  },
  {
    name: 'runtime/leader: a term counts from the answer',
    edits: [edit(
      'runtime/leader/leader-elector.ts',
      'Math.max(this.termEnds, began + this.timing.renewDeadline)',
      'Math.max(this.termEnds, this.time.elapsed() + this.timing.renewDeadline)',
    )],
    suites: ['test/runtime/leader/election.test.ts'],
  },
  {
    name: 'controller/reconcile: a writer whose lease has ended sends its request beside the next one',
    edits: [edit('controller/reconcile/parent-locks/parent-write-lock.ts', 'if (!held) return !this.overdue.has(name);\n', 'if (!held) return true;\n')],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'engine/credentials: an identity is for every namespace that names it',
    edits: [edit(
      'engine/credentials/identity-holders.ts',
      'users.some((target) => target.namespace === namespace)',
      'users.some((target) => target.namespace !== namespace)',
    )],
    suites: [HOLDERS],
  },
  {
    name: 'engine/credentials: the newest object of an identity takes it over',
    edits: [edit('engine/credentials/identity-holders.ts', 'a!.localeCompare(b!)', 'b!.localeCompare(a!)')],
    suites: [HOLDERS],
  },
  {
    name: 'engine/credentials: an object that only reads an identity keeps others from it',
    edits: [edit('engine/credentials/identity-holders.ts', ' || !isManaged(object) ? undefined', ' ? undefined')],
    suites: [HOLDERS],
  },
  {
    name: 'engine/credentials: identities that are not listed belong to nobody',
    edits: [edit('engine/credentials/identity-holders.ts', "if (state.state === 'unknown' && state.reason", "if (state.state !== 'unknown' && state.reason")],
    suites: [HOLDERS],
  },
  {
    name: "engine/credentials: another namespace's identity may be that of the node",
    edits: [edit('engine/credentials/credential-resolver.ts', "['workloadIdentity', 'managedIdentity']", "['workloadIdentity']")],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: 'controller/reconcile: what Azure refused deletes the resource of an object of another replica',
    edits: [edit('controller/reconcile/foreign-resources.ts', 'other.uid !== object.metadata.uid &&', 'other.uid === object.metadata.uid &&')],
    suites: [SHARED],
  },
  {
    name: 'controller/reconcile: a list that fails shows no object of another replica',
    edits: [edit('controller/reconcile/core/deletion.ts', '  if (sharedUnknown) return waitForCache(observed, sharedUnknown);\n', '')],
    suites: [SHARED],
  },
  {
    name: 'engine/export: what an object that is gone has exported is never written again',
    edits: [edit('engine/export/export-write.ts', "isMomentary ? 'Warning' : 'Error'", "isMomentary ? 'Error' : 'Error'")],
    suites: ['test/engine/export/rows/exports.test.ts'],
  },
];
