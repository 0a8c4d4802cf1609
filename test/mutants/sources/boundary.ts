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
  {
    name: 'engine/credentials: whose identity it is, is judged when a Secret is first used alone',
    edits: [edit(
      'engine/credentials/credential-resolver.ts',
      'if (cached.isBorrowed) this.refuseForeignIdentity',
      'if (cached !== known && cached.isBorrowed) this.refuseForeignIdentity',
    )],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: "engine/credentials: a cloud with an authority of a tenant is the controller's own",
    edits: [edit(
      'engine/credentials/cloud.ts',
      'comparable(a.audience) === comparable(b.audience)\n    && comparable(a.authorityHost) === comparable(b.authorityHost);',
      'comparable(a.audience) === comparable(b.audience);',
    )],
    suites: ['test/engine/credentials/foreign-cloud.test.ts'],
  },
  {
    name: 'engine/credentials: a token is renewed by the time that was requested, not by what was given',
    edits: [edit(
      'engine/credentials/namespace-tokens.ts',
      'renewAt = expires - (expires - now) * RENEW_AT',
      'renewAt = now + LIFETIME_SECONDS * 1_000 * (1 - RENEW_AT)',
    )],
    suites: ['test/engine/credentials/namespace-tokens.test.ts'],
  },
  {
    name: 'controller/reconcile/core: a deletion whose read was refused deletes what the annotation names',
    edits: [edit(
      'controller/reconcile/core/deletion.ts',
      'armId && observed.traits.canDelete && isOwnId(observed)) return act',
      'armId && observed.traits.canDelete) return act',
    )],
    suites: ['test/controller/reconcile/own-id.test.ts'],
  },
  {
    name: 'controller/reconcile: each refusal lets a writer in doubt keep the lock of a parent for longer',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "this.set(writer, 'inDoubt', { until, ...(yieldsAt",
      "this.set(writer, 'inDoubt', { ...(yieldsAt",
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'controller/reconcile: a running write loses the lock of a parent when a reconcile sends nothing',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      "if ((why === 'unseen' || why === 'writes') && hasSentNothing) return;",
      "if (why === 'unseen' && hasSentNothing) return;",
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'controller/reconcile: the guard of credentials drops a finalizer that another writer has just added',
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      'annotations, resourceVersion: secret.resourceVersion } };',
      'annotations } };',
    )],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: a refused write of an exported Secret shows the values of others in it',
    edits: [edit(
      'controller/reconcile/exporter.ts',
      "throw desired.kind === 'Secret' ? redactError(error, textsIn(rest.object)) : error;",
      'throw error;',
    )],
    suites: ['test/controller/reconcile/quoted-secrets.test.ts'],
  },
  {
    name: "runtime/leader: a Lease is taken over by the candidate's duration, not by the holder's",
    edits: [
      edit('runtime/leader/leader-elector.ts', 'const { record, at } = this.observed!;', 'const { at } = this.observed!;'),
      edit('runtime/leader/leader-elector.ts', 'at + Math.max(record.leaseDurationSeconds * 1000, 0)', 'at + this.timing.leaseDuration'),
    ],
    suites: ['test/runtime/leader/election.test.ts'],
    test: 'a holder that was configured with',
  },
  {
    name: "runtime/shards: another controller's Lease ends by the time of an answer, not of its request",
    edits: [
      edit('runtime/shards/group-lease.ts', 'private mayBeHeld({ lease, sent, sinceMs }', 'private mayBeHeld({ lease, sinceMs }'),
      edit('runtime/shards/group-lease.ts', 'return sent.elapsed - sinceMs <', 'return this.clocks.elapsed() - sinceMs <'),
    ],
    suites: ['test/runtime/shards/group-lease.test.ts'],
  },
  {
    name: 'runtime/shards: a list from before a view was acknowledged proves what the view claims',
    edits: [edit('runtime/shards/claims.ts', '    this.views = [view];\n    this.serial += 1;', '    this.views = [view];')],
    suites: ['test/runtime/shards/claims.test.ts'],
  },
  {
    name: "controller/reconcile: the guard of credentials does not count another controller's objects",
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      '    if (this.users.otherKindsOf(secret).has(kind)) return false;\n',
      '',
    )],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: "runtime/shards: a member that leaves empties the group's Lease although others are alive",
    edits: [edit('runtime/shards/group-lease.ts', '    if (await hasOthers()) return;\n', '    await hasOthers();\n')],
    suites: ['test/runtime/shards/group-lease.test.ts'],
  },
  {
    name: 'runtime/shards: a list from before a publication has it',
    edits: [edit(
      'runtime/shards/member-lease.ts',
      '      listed?.metadata.annotations?.[SHARD_VIEW] === publicationText(publication) &&\n',
      '',
    )],
    suites: ['test/runtime/shards/member-lease.test.ts'],
  },
  {
    name: 'controller/credential-propagation: a Secret that was handed to another identity meanwhile is deleted',
    edits: [edit(
      'controller/credential-propagation/take-back-target.ts',
      'target.namespace, { uid, resourceVersion });',
      'target.namespace, { uid });',
    )],
    suites: ['test/controller/credential-propagation/propagator-ends.test.ts'],
  },
  {
    name: 'controller/credential-propagation: a service account that was handed to another identity meanwhile is cleared',
    edits: [edit(
      'controller/credential-propagation/contents.ts',
      'return { metadata: { resourceVersion, annotations, labels: nothing(',
      'return { metadata: { annotations, labels: nothing(',
    )],
    suites: ['test/controller/credential-propagation/propagator-ends.test.ts'],
  },
  {
    name: 'controller/credential-propagation: a mistake in the list of targets takes all others back',
    edits: [edit(
      'controller/credential-propagation/credential-propagator.ts',
      'problems.length > 0 ? [] : this.index',
      'this.index',
    )],
    suites: ['test/controller/credential-propagation/propagator.test.ts'],
  },
  {
    name: 'controller/reconcile: Azure quotes the values of a whole Secret',
    edits: [edit(
      'controller/reconcile/imported-secrets.ts',
      "return reference.to === 'secretMap' ? Object.values(data) : ownValue(data, reference.key) ?? [];",
      'return ownValue(data, reference.key) ?? [];',
    )],
    suites: ['test/controller/reconcile/imported-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: details of a failure quote a secret',
    edits: [edit(
      'controller/reconcile/imported-secrets.ts',
      '{ details: text(failure.details, secrets) }',
      '{}',
    )],
    suites: ['test/controller/reconcile/imported-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: the code of a failure quotes a secret',
    edits: [edit(
      'controller/reconcile/imported-secrets.ts',
      'code: text(answer.code, secrets), requestId',
      'requestId',
    )],
    suites: ['test/controller/reconcile/imported-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: a warning of Azure quotes a secret',
    edits: [edit(
      'controller/reconcile/imported-secrets.ts',
      'warnings: warnings.map((warning) => text(warning, hidden)),',
      'warnings,',
    )],
    suites: ['test/controller/reconcile/imported-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: the state of a failed resource quotes a secret',
    edits: [edit(
      'controller/reconcile/imported-secrets.ts',
      '(word === undefined ? {} : { word: text(word, hidden) })',
      '(word === undefined ? {} : { word })',
    )],
    suites: ['test/controller/reconcile/imported-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: an object that is lost while it is confirmed is written',
    edits: [edit(
      'controller/reconcile/fence.ts',
      '    await fence.confirm?.(object);\n    fence(object);\n',
      '    await fence.confirm?.(object);\n',
    )],
    suites: ['test/controller/shards/split-work.test.ts'],
  },
  {
    name: 'controller/reconcile: a deletion with a request in doubt gives the lock of a parent up before it has looked',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      'lock.acquire(writer, !isDeleting)',
      'lock.acquire(writer)',
    )],
    suites: ['test/controller/reconcile/parent-locks/parent-write-locks.test.ts'],
  },
  {
    name: 'controller/reconcile: a request in doubt is forgotten by a reconcile that has not looked',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      "if (why === 'inDoubt' && (hasSentNothing || left === 'unlooked' || left === 'unread')) return;",
      "if (why === 'inDoubt' && hasSentNothing) return;",
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'runtime/leader: a leader that stops empties the Lease of the holder that has just taken it',
    edits: [edit(
      'runtime/leader/leader-elector.ts',
      'if (!lease || recordOf(lease).holderIdentity !== identity) return;',
      'if (!lease) return;',
    )],
    suites: ['test/runtime/leader/election.test.ts'],
  },
  {
    name: 'runtime/shards: a member renews the Lease that another holder has taken',
    edits: [edit(
      'runtime/shards/member-lease.ts',
      '    if (holderIdentity !== this.identity) throw new LeaseTakenError',
      "    if (holderIdentity === '') throw new LeaseTakenError",
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
  },
  {
    name: 'runtime/shards: a write under way takes the Leases again after a release',
    edits: [edit(
      'runtime/shards/shard-member.ts',
      '    await loops;\n',
      '',
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
  },
  {
    name: 'runtime/shards: a Lease that was renewed meanwhile is deleted as garbage',
    edits: [edit(
      'runtime/shards/member-list.ts',
      'name, namespace, { uid, resourceVersion })',
      'name, namespace, { uid })',
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
  },
  {
    name: 'engine/credentials: the credential that is used most is forgotten first',
    edits: [edit(
      'engine/credentials/credential-resolver.ts',
      '    setNewest(this.cache, source, cached, MAX_CACHED_CREDENTIALS);\n',
      '    if (cached !== known) setNewest(this.cache, source, cached, MAX_CACHED_CREDENTIALS);\n',
    )],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: 'engine/credentials: a client is kept of a Secret whose new content cannot be used',
    edits: [edit(
      'engine/credentials/credential-resolver.ts',
      '    if (known?.digest !== digest) this.cache.delete(source);\n',
      '',
    )],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: 'engine/credentials: a failure of an earlier request explains a later one',
    edits: [edit('engine/credentials/token-credential.ts', '    this.transport.failure = undefined;\n    try {\n', '    try {\n')],
    suites: ['test/engine/credentials/token-credential.test.ts'],
  },
  {
    name: 'controller/reconcile: a Secret is in doubt no more before it has been read',
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      '    const current = await this.options.client.get(',
      '    this.doubtful.delete(sharedKeyOf(key));\n    const current = await this.options.client.get(',
    )],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: a Secret that replaces one that could not be written is not waited for',
    edits: [edit('controller/reconcile/credential-guard.ts', 'of [this.doubtful, this.refused, this.retries', 'of [this.doubtful, this.retries')],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: a Secret that could not be written once is never waited for again',
    edits: [edit('controller/reconcile/credential-guard.ts', '    this.refused.delete(sharedKeyOf(key));\n', '')],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: an object that is read again loses the lock of a parent that it has',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      'if (!place || this.places.has(name)) return;\n    const writer',
      'if (!place) return;\n    const writer',
    )],
    suites: ['test/controller/reconcile/parent-locks/strangers.test.ts'],
  },
  {
    name: 'controller/reconcile: an object that is gone stays overdue at the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      '    this.overdue.delete(name);\n    this.waiting.delete(name);\n',
      '    this.waiting.delete(name);\n',
    )],
    suites: ['test/controller/reconcile/parent-locks/released.test.ts'],
  },
  {
    name: 'runtime/shards: members remind each other of one that is gone without end',
    edits: [edit('runtime/shards/group-lease.ts', 'if (!this.others.has(member)) this.remember(member);', 'this.remember(member);')],
    suites: ['test/runtime/shards/group-lease.test.ts'],
  },
  {
    name: 'runtime/leader: a leader that stops tries once to empty its Lease',
    edits: [edit('runtime/leader/leader-elector.ts', 'tries < 3', 'tries < 1')],
    suites: ['test/runtime/leader/election.test.ts'],
    test: 'is given back whenever',
  },
  {
    name: 'util: what is used all the time is dropped first',
    edits: [edit('src/util/set-newest.ts', '  map.delete(key);\n', '')],
    suites: ['test/util/set-newest.test.ts'],
  },
  {
    name: 'controller/reconcile: an operation that was seen long ago keeps the lock of a parent',
    edits: [edit('controller/reconcile/parent-locks/parent-write-lock.ts', 'if (seenUntil > this.options.now()) return true;', 'if (seenUntil > 0) return true;')],
    suites: ['test/controller/reconcile/parent-locks/released.test.ts'],
  },
  {
    name: 'controller/reconcile: an object that was called keeps the lock of a parent beside the one that writes',
    edits: [edit('controller/reconcile/parent-locks/parent-write-lock.ts', "if (isLate || own === 'called') this", 'if (isLate) this')],
    suites: ['test/controller/reconcile/parent-locks/released.test.ts'],
  },
  {
    name: 'engine/credentials: a certificate that found no free thread is refused for ever',
    edits: [edit('engine/credentials/certificate-store.ts', '      if (!(error instanceof JobStoppedError)) throw error;\n', '')],
    suites: ['test/engine/credentials/hostile-certificates.test.ts'],
    test: 'is tried again',
  },
  {
    name: 'cli/migrate: a read that fails after a conflict loses the lease',
    edits: [edit('cli/migrate/migration-lease.ts', '.catch(() => this.object);', '.catch(() => undefined);')],
    suites: ['test/cli/migrate/journal-and-lease.test.ts'],
    test: 'after a conflict',
  },
  {
    name: 'runtime/shards: a member whose write was given up publishes what is outdated',
    edits: [edit('runtime/shards/member-lease.ts', 'if (call !== this.calls) throw new Error', 'if (call === -1) throw new Error')],
    suites: ['test/runtime/shards/member-lease.test.ts'],
  },
  {
    name: 'engine/credentials: a Secret is refused in words about that of another namespace',
    edits: [edit('engine/credentials/certificate-store.ts', 'JSON.stringify([where, password])', 'JSON.stringify([password])')],
    suites: ['test/engine/credentials/hostile-certificates.test.ts'],
    test: 'none names that of another namespace',
  },
  {
    name: 'engine/credentials: a value that is put under another key changes nothing',
    edits: [edit('engine/credentials/credential-resolver.ts', 'JSON.stringify([key, data[key]])', 'JSON.stringify(data[key])')],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: 'engine/credentials: what could not be loaded once is never loaded again',
    edits: [edit('engine/credentials/token-credential.ts', '    made.catch(() => (this.made = undefined));\n', '')],
    suites: ['test/engine/credentials/token-credential.test.ts'],
    test: 'a managed identity',
  },
  {
    name: "controller/reconcile: the guard of credentials lets a Secret without marks go from another controller's objects",
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      '    if (isUnmarked && this.users.otherKindsOf(key).size > 0) return undefined;\n',
      '',
    )],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/guard-rails: a Namespace that goes during a look leaves its policies for ever',
    edits: [edit('controller/guard-rails/guard-rails.ts', '      if (this.isWanted) this.look();\n', '')],
    suites: ['test/controller/guard-rails/guard-rails.test.ts'],
    test: 'is looked for once more',
  },
  {
    name: 'controller/reconcile: what Azure has accepted below one parent counts below every other',
    edits: [edit('controller/reconcile/parent-locks/standings.ts', 'return `${partyOf(writer)} ${lockName}`;', 'return partyOf(writer);')],
    suites: ['test/controller/reconcile/parent-locks/strangers.test.ts'],
    test: 'below another parent',
  },
  {
    name: 'controller/reconcile: a refusal of Azure Policy shows that the principal may not write below the parent',
    edits: [edit(
      'controller/reconcile/steps/parent-lock.ts',
      "return code === 'RequestDisallowedByPolicy' ? undefined : 'refused';",
      "return 'refused';",
    )],
    suites: ['test/controller/reconcile/steps/parent-lock.test.ts'],
  },
  {
    name: 'controller/reconcile: the timers of a lock are never taken back',
    edits: [edit('controller/reconcile/parent-locks/parent-write-locks.ts', '    known.cancelTimer?.();\n', '')],
    suites: ['test/controller/reconcile/parent-locks/laws.test.ts'],
    test: 'have one timer',
  },
  {
    name: 'controller/reconcile: an object that is gone keeps the lock of a parent',
    edits: [edit(
      'controller/reconcile/reconciler.ts',
      '    guard?.release(key);\n    parentLocks.release(key);\n',
      '    guard?.release(key);\n',
    )],
    suites: ['test/controller/reconcile/parent-locks/parent-write-locks.test.ts'],
    test: 'whose finalizer somebody takes away',
  },
  {
    name: 'runtime/shards: a process whose clock stood still owns what it owned before, as soon as it has renewed its Lease',
    edits: [edit('runtime/shards/lease-renewal.ts', '      updater.revoke();\n', '')],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'owns nothing when it wakes',
  },
  {
    name: 'runtime/shards: a member that has lost its Lease acts until its term is over',
    edits: [edit('runtime/shards/member-lifetime.ts', '    this.onLost();\n', '')],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'lost',
  },
  {
    name: 'runtime/leader: a leader that stops leads on beside the next one',
    edits: [edit(
      'runtime/leader/leader-elector.ts',
      '        this.setTermEnd(-Infinity);\n        if (hasLease) await this.giveBack();\n',
      '        if (hasLease) await this.giveBack();\n',
    )],
    suites: ['test/runtime/leader/election.test.ts'],
    test: 'leads no more before its Lease is free',
  },
  {
    name: 'runtime/shards: a term of the own Lease counts from the answer to its renewal',
    edits: [edit(
      'runtime/shards/lease-renewal.ts',
      "    fence.renew('own', sent);\n    this.published",
      "    fence.renew('own', momentOf(time));\n    this.published",
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'acts for 10 s',
  },
  {
    name: 'runtime/shards: the first term of the own Lease counts from the answer',
    edits: [edit(
      'runtime/shards/lease-renewal.ts',
      "        fence.renew('own', sent);\n        return;",
      "        fence.renew('own', momentOf(time));\n        return;",
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'acts for 10 s',
  },
  {
    name: 'controller/reconcile: an operation has less time at the lock of a parent after a reconcile that has taken too long',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "    this.overdue.delete(sharedKeyOf(writer.key));\n    this.lease(writer, 'writes', this",
      "    this.lease(writer, 'writes', this",
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'controller/reconcile: after a start a read that fails gives up the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      "    if (why === 'unseen' && left === 'unread') return;\n",
      '',
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'controller/reconcile: a read that fails counts as none',
    edits: [edit(
      'controller/reconcile/sent-requests.ts',
      "result.kind === 'failure' ? 'unread' : 'unlooked';",
      "result.kind === 'success' ? 'unread' : 'unlooked';",
    )],
    suites: ['test/controller/reconcile/parent-locks/parent-write-locks.test.ts'],
    test: 'an object of another namespace that was',
  },
  {
    name: 'controller/reconcile: after a start an object that was made a moment ago keeps the lock of a parent',
    edits: [edit(
      'controller/reconcile/reconciler.ts',
      'parentLocks.restore(key, armId, this.isNew(object));',
      'parentLocks.restore(key, armId);',
    )],
    suites: ['test/controller/reconcile/parent-locks/parent-write-locks.test.ts'],
    test: 'an object of another namespace that was',
  },
  {
    name: 'engine/credentials: credentials that name no client id wait for each other at Microsoft Graph',
    edits: [edit(
      'engine/credentials/credential-resolver.ts',
      '{ ...principal, clientId: principal.clientId || values.source }',
      'principal',
    )],
    suites: ['test/controller/directory/directory-limits.test.ts'],
  },
  {
    name: 'controller/reconcile: a Secret is written twice at a time once a write has waited for its turn',
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      '      if (this.busy.has(text)) this.again.add(text);\n      else this.correct(secret);',
      '      this.correct(secret);',
    )],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: the time without a user of a Secret counts on from before its last user',
    edits: [edit(
      'controller/reconcile/credential-guard.ts',
      '(kind) => marked.has(kind) && !needed.has(kind)',
      '(kind) => marked.has(kind)',
    )],
    suites: ['test/controller/reconcile/credential-guard-kinds.test.ts'],
  },
  {
    name: 'controller/reconcile: a request that has waited for its turn has no time for its answer at the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      '    this.leases.set(name, { ...held, isPaused: false, yieldsAt });',
      '    this.leases.set(name, { ...held, isPaused: false, yieldsAt: Math.min(yieldsAt, held.yieldsAt) });',
    )],
    suites: ['test/controller/reconcile/parent-locks/strangers.test.ts'],
    test: 'however long it waited',
  },
  {
    name: 'controller/reconcile: writers that go together overtake one that waits for the lock of a parent alone',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "waits.add(blocker.yields ? partyOf(next) : next.principal?.endpoint ?? '');",
      'waits.add(partyOf(next));',
    )],
    suites: ['test/controller/reconcile/parent-locks/strangers.test.ts'],
    test: 'that may go beside the holder',
  },
  {
    name: 'runtime/leader: a request without an answer takes the time of the next one',
    edits: [edit('runtime/leader/leader-elector.ts', 'limit = this.timing.renewDeadline / 2;', 'limit = this.timing.renewDeadline;')],
    suites: ['test/runtime/leader/election.test.ts'],
    test: 'one request that gets no answer',
  },
  {
    name: 'runtime/shards: what is published while an earlier write is under way counts as acknowledged with that',
    edits: [edit('runtime/shards/lease-renewal.ts', 'this.published = publication;', 'this.published = this.wanted;')],
    suites: ['test/runtime/shards/lease-renewal.test.ts'],
  },
  {
    name: 'runtime/shards: a change that was being prepared is published by a member that leaves',
    edits: [edit(
      'runtime/shards/view-changes.ts',
      'if (lifetime.leaving.aborted || lifetime.hasEnded) return;',
      'if (lifetime.hasEnded) return;',
    )],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'when its member begins to leave',
  },
  {
    name: 'runtime/leader: a process that stops while it reads the Lease takes it with the answer',
    edits: [edit('runtime/leader/leader-elector.ts', '    over.throwIfAborted();\n', '')],
    suites: ['test/runtime/leader/election.test.ts'],
    test: 'stops while it reads',
  },
  {
    name: "runtime/shards: a turn whose read was given up takes the group's Lease after a release",
    edits: [edit('runtime/shards/group-lease.ts', 'if (call !== this.calls) throw', 'if (call === -1) throw')],
    suites: ['test/runtime/shards/group-lease.test.ts'],
  },
  {
    name: 'controller/reconcile: a write of a Secret that succeeds leaves the next one that fails a long wait',
    edits: [edit('controller/reconcile/credential-guard.ts', '() => this.retries.delete(text),', '() => undefined,')],
    suites: ['test/controller/reconcile/credential-guard.test.ts'],
  },
  {
    name: 'controller/reconcile: a Secret is kept for an object that another replica looks after now',
    edits: [edit(
      'controller/reconcile/credential-users.ts',
      '[this.claimed, this.expected, this.others, this.unclaimed]',
      '[this.claimed, this.expected, this.others]',
    )],
    suites: ['test/controller/reconcile/credential-guard-kinds.test.ts'],
  },
  {
    name: 'controller/reconcile: a writer that was slow once is never waited for again at the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      'this.begin(writer, this.options.now() - held.since > LONGEST_CALL_MS);',
      'this.begin(writer, this.options.now() - held.since > LONGEST_CALL_MS || undefined);',
    )],
    suites: ['test/controller/reconcile/parent-locks/strangers.test.ts'],
    test: 'that was slow once',
  },
  {
    name: 'controller/reconcile: an operation that is seen again stays overdue at the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "    this.overdue.delete(name);\n    this.leases.set(name, { writer, why: 'writes', since, until,",
      "    this.leases.set(name, { writer, why: 'writes', since, until,",
    )],
    suites: ['test/controller/reconcile/parent-locks/in-doubt.test.ts'],
  },
  {
    name: 'runtime/shards: a release waits for the pauses of the loops',
    edits: [edit('runtime/shards/member-lifetime.ts', '    for (const waker of this.wakers) waker.wake();\n', '')],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'does not wait for the pauses',
  },
  {
    name: 'runtime/shards: a snapshot that has been taken keeps its timer',
    edits: [edit('runtime/shards/ownership-updater.ts', "    taken.abort(new Error('taken'));\n", '')],
    suites: ['test/runtime/shards/ownership-updater.test.ts'],
  },
  {
    name: 'runtime/shards: a list from before a suspension proves what others have taken since',
    edits: [edit('runtime/shards/shard-member.ts', 'claims.prove(serial, list', 'claims.prove(claims.serial, list')],
    suites: ['test/runtime/shards/shard-member.test.ts'],
    test: 'a list from before a suspension',
  },
  {
    name: 'runtime/shards: a list that was given up follows a later one',
    edits: [edit('runtime/shards/member-list.ts', '      if (call !== this.reads) return;\n', '')],
    suites: ['test/runtime/shards/member-list.test.ts'],
  },
];
