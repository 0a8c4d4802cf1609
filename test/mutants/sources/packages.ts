import { edit, type SourceMutant } from '../by-suites';

const COMPARE = 'test/engine/compare/compare.test.ts';
const DECIDE = 'test/controller/reconcile/decide.test.ts';
const FRESHNESS = 'test/controller/reconcile/cache-freshness-answers.test.ts';
const GROUP_LEASE = 'test/runtime/shards/group-lease.test.ts';
const STRANGERS = 'test/controller/reconcile/parent-locks/strangers.test.ts';

/** Careless changes across the packages: one or two in each. They show that suites which were made faster still find faults. */
export const PACKAGES: readonly SourceMutant[] = [
  {
    name: 'engine/compare: a tag that somebody has added in Azure is no difference',
    edits: [edit('engine/compare/compare.ts', '    if (!shape.values) return;\n', '    if (shape !== NOTHING_KNOWN) return;\n')],
    suites: [COMPARE],
  },
  {
    name: 'engine/compare: a member is not found in another spelling',
    edits: [edit('engine/compare/compare.ts', 'return byLowerCase.get(key.toLowerCase());', 'return byLowerCase.get(key);')],
    suites: [COMPARE, 'test/properties/compare.test.ts'],
  },
  {
    name: 'engine/compare: an element keeps a partner that another one needs',
    edits: [edit(
      'engine/compare/matching.ts',
      'if (find(holder, seen, chain + 1)) return pair(item, other);',
      'if (chain > limits.chain) return false;',
    )],
    suites: ['test/engine/compare/matching.test.ts'],
  },
  {
    name: 'engine/convert: a collection that has to be sent empty is left out',
    edits: [edit('engine/convert/to-arm.ts', '  for (const field of type.emitted) emitAbsent(result, field);\n', '')],
    suites: ['test/engine/convert/to-arm.test.ts'],
  },
  {
    name: 'engine/convert: identities of an object become a list',
    edits: [edit('engine/convert/to-arm.ts', '  if (property.mapKeyFromReference) {', "  if (property.mapKeyFromReference === '') {")],
    suites: ['test/engine/convert/to-arm.test.ts'],
  },
  {
    name: 'engine/arm: the token goes to any host',
    edits: [edit('engine/arm/arm-url.ts', 'if (!sameCloud(base, full)) throw', "if (full.protocol === 'ftp:') throw")],
    suites: ['test/engine/arm/arm-url.test.ts'],
  },
  {
    name: 'engine/arm: an operation that was canceled has not ended',
    edits: [edit('engine/arm/operation-status.ts', "new Set(['failed', 'canceled', 'cancelled'])", "new Set(['failed'])")],
    suites: ['test/engine/arm/operation.test.ts'],
  },
  {
    name: 'engine/arm: an answer about another resource is taken',
    edits: [edit(
      'engine/arm/same-resource.ts',
      'return isSame(asked, id) ? undefined',
      'return isSame(asked, id) || id.startsWith(\'/\') ? undefined',
    )],
    suites: ['test/engine/arm/unreadable.test.ts'],
  },
  {
    name: 'engine/arm: a throttled poll fails the operation',
    edits: [edit('engine/arm/poll-operation.ts', 'new Set([401, 408, 425, 429, 500,', 'new Set([401, 408, 425, 500,')],
    suites: ['test/engine/arm/operation.test.ts'],
  },
  {
    name: 'engine/credentials: a Secret of another namespace may be named',
    edits: [edit(
      'engine/credentials/credential-resolver.ts',
      "    if (name.includes('/')) {\n      throw",
      "    if (name === '/') {\n      throw",
    )],
    suites: ['test/engine/credentials/credential-resolver.test.ts'],
  },
  {
    name: 'engine/export: a Secret of another owner is overwritten',
    edits: [edit('engine/export/export-write.ts', '  if (!ownedBy(existing, owner)) throw notOwned(desired, owner, isOfPredecessor(existing, owner));\n', '')],
    suites: ['test/engine/export/export-write.test.ts'],
  },
  {
    name: 'engine/redact: signatures of URLs are logged',
    edits: [edit('engine/redact/patterns.ts', '(sig(?:nature)?(?:=|%3d))', '(signature(?:=|%3d))')],
    suites: ['test/controller/process/redact.test.ts'],
    test: 'whoever it belongs to',
  },
  {
    name: 'engine/kubernetes: a process that does not lead writes',
    edits: [edit('engine/kubernetes/rest-client.ts', 'if (mayWrite?.() === false) throw', 'if (mayWrite === undefined) throw')],
    suites: ['test/engine/kubernetes/may-write.test.ts'],
  },
  {
    name: 'engine/version-conversion: what a version has no place for is lost',
    edits: [edit('engine/version-conversion/convert-object.ts', 'kept: [...fitted.left, ...kept]', 'kept')],
    suites: ['test/engine/version-conversion/laws.test.ts'],
  },
  {
    name: 'controller/reconcile/core: two operators manage one object',
    edits: [edit(
      'controller/reconcile/core/decide.ts',
      'if (owner && owner !== observed.operatorNamespace) {',
      'if (owner === observed.object.kind) {',
    )],
    suites: [DECIDE],
  },
  {
    name: 'controller/reconcile/core: a resource goes although the policy is detach-on-delete',
    edits: [edit('controller/reconcile/core/deletion.ts', '  if (!allowsDeletion(observed.policy)) return gone(observed);\n', '')],
    suites: ['test/controller/reconcile/deletion.test.ts'],
  },
  {
    name: 'controller/reconcile/core: a spec that means another resource is sent',
    edits: [edit(
      'controller/reconcile/core/own-id.ts',
      'if (armId === undefined || own === undefined || isSame(armId, own)) return undefined;',
      "if (armId === undefined || own === undefined || armId !== '') return undefined;",
    )],
    suites: ['test/controller/reconcile/reconciler.test.ts'],
  },
  {
    name: 'controller/reconcile/core: the first PUT is sent before it is on record',
    edits: [edit(
      'controller/reconcile/core/apply.ts',
      'if (needsIntent(observed.object) || mustRecordAbsence(observed)) {',
      'if (mustRecordAbsence(observed)) {',
    )],
    suites: ['test/controller/reconcile/adoption.test.ts'],
  },
  {
    name: 'controller/reconcile/core: what Azure refused deletes the resource of another object',
    edits: [edit('controller/reconcile/core/adoption.ts', 'return lastAppliedOf(object)?.answered !== true', 'return lastAppliedOf(object) === undefined')],
    suites: ['test/controller/reconcile/shared-resources.test.ts'],
  },
  {
    name: 'controller/reconcile: the loss of a resource by another object waits for the next sync',
    edits: [edit('controller/reconcile/lost-resources.ts', 'this.tell(this.ids.of(armId));', 'this.tell(this.ids.of(armId).slice(1));')],
    suites: ['test/controller/reconcile/shared-resources.test.ts'],
  },
  {
    name: 'controller/reconcile: nothing looks for what lay in a lost resource',
    edits: [edit('controller/reconcile/steps/carry-out.ts', 'memory.absentAt === undefined && wasThere(progress)', 'memory.absentAt !== undefined && wasThere(progress)')],
    suites: ['test/controller/reconcile/shared-resources.test.ts'],
  },
  {
    name: 'platform/service: subscriptions of a topic that is kept are deleted with their messages',
    edits: [edit('src/platform/service/service-objects.ts', 'else if (on && !on.mayDelete) {', 'else if (on?.mayDelete) {')],
    suites: ['test/platform/service.test.ts', 'test/platform/offboarding.test.ts'],
  },
  {
    name: 'cli/diff: a role that stays is called revoked',
    edits: [edit('cli/diff/role-changes.ts', 'changes.push(stays(grant.item, comparison, deleted)', 'changes.push(!stays(grant.item, comparison, deleted)')],
    suites: ['test/cli/diff/remaining-access.test.ts'],
  },
  {
    name: 'controller/reconcile/core: a failure is tried again at once, for ever',
    edits: [edit(
      'controller/reconcile/core/backoff.ts',
      'counters: { failures: failures + 1, requeues: 0, retry }',
      'counters: { failures, requeues: 0, retry }',
    )],
    suites: ['test/controller/reconcile/backoff.test.ts'],
  },
  {
    name: 'controller/budget: a bucket is refilled by a clock that is set back',
    edits: [edit('controller/budget/bucket.ts', 'Math.max(now - this.filledAt, 0) / 1000', 'Math.abs(now - this.filledAt) / 1000')],
    suites: ['test/controller/budget/limits.test.ts'],
  },
  {
    name: 'controller/admission: an object that is being deleted is refused, and stays',
    edits: [edit(
      'controller/admission/reviews.ts',
      'const refusal = object.metadata.deletionTimestamp ? undefined : refusalOf(',
      "const refusal = object.metadata.deletionTimestamp === '' ? undefined : refusalOf(",
    )],
    suites: ['test/controller/admission/server.test.ts'],
  },
  {
    name: 'controller/admission: the Azure name that a user gives is replaced',
    edits: [edit('controller/admission/defaulting.ts', "|| Boolean(ownMember(spec, 'azureName'))", '')],
    suites: ['test/controller/admission/defaulting.test.ts'],
  },
  {
    name: 'runtime/work-queue: a key runs twice at a time',
    edits: [edit(
      'runtime/work-queue/work-queue.ts',
      '    if (this.running.has(key)) {\n      const again',
      "    if (key === '' && this.running.has(key)) {\n      const again",
    )],
    suites: ['test/runtime/work-queue/work-queue.test.ts'],
  },
  {
    name: 'cli/orphans: what is in a group whose name begins as that of the scope is within',
    edits: [edit(
      'cli/orphans/find-orphans.ts',
      '`${path.toLowerCase()}/`.startsWith(`${scope.toLowerCase()}/`)',
      'path.toLowerCase().startsWith(scope.toLowerCase())',
    )],
    suites: ['test/cli/orphans/command.test.ts'],
  },
  {
    name: 'engine/import: a secret of an element that has moved is that of its neighbour',
    edits: [edit('engine/import/children-once.ts', '[property, place, ...path.slice(2)]', '[property, path[1]!, ...path.slice(2)]')],
    suites: ['test/engine/import/children-once.test.ts'],
  },
  {
    name: 'runtime/webhooks: a generation is written again at once, while API servers load it',
    edits: [edit('runtime/webhooks/certificates/ca-bundles.ts', 'this.seen.get(uid) === generation', 'this.seen.has(uid)')],
    suites: ['test/runtime/webhooks/own-certificate.test.ts'],
  },
  {
    name: 'cli/transfer: Secrets of which all keys are read stay behind',
    edits: [edit('cli/transfer/selection.ts', "reference.to === 'secret' || reference.to === 'secretMap'", "reference.to === 'secret'")],
    suites: ['test/cli/transfer/checks.test.ts'],
  },
  {
    name: 'src/platform: names of two resources clash',
    edits: [edit('src/platform/policy/name-prefixes.ts', 'scope.entries && scope.id === id', 'scope.entries')],
    suites: ['test/platform/policy.test.ts'],
  },
  {
    name: 'engine/informers: a page token that has expired ends a list behind a proxy',
    edits: [edit('engine/informers/list-all.ts', "error.status === 410 || error.reason === 'Gone' || error.reason === 'Expired'", 'error.status === 410')],
    suites: ['test/engine/informers/list-all.test.ts'],
  },
  {
    name: 'cli/plan: a plan with problems ends well',
    edits: [edit('cli/plan/plan.ts', 'return all.length > 0 ? 1 : 0;', 'return all.length > 1 ? 1 : 0;')],
    suites: ['test/cli/plan/plan.test.ts'],
  },
  {
    name: 'cli/plan: an object does not wait for its owner',
    edits: [edit(
      'cli/plan/dependencies.ts',
      "if (owner?.by === 'name') add(byKey",
      "if (owner?.by === 'name' && owner.kind === '') add(byKey",
    )],
    suites: ['test/cli/plan/plan.test.ts'],
  },
  {
    name: 'src/core/rules: a privileged role without a condition is right',
    edits: [edit(
      'src/core/rules/role-rules.ts',
      "return role === undefined || text(object.spec, 'condition') !== undefined",
      "return role === undefined || text(object.spec, 'condition') === undefined",
    )],
    suites: ['test/core/rules/rules.test.ts'],
  },
  {
    name: 'src/core/rules: one federated credential too many is right',
    edits: [edit(
      'src/core/rules/federation-rules.ts',
      'credentials.slice(MOST_FEDERATED_CREDENTIALS)',
      'credentials.slice(MOST_FEDERATED_CREDENTIALS + 1)',
    )],
    suites: ['test/core/rules/rules.test.ts'],
  },
  {
    name: 'src/azure/names: names that are cut are alike',
    edits: [edit(
      'src/azure/names/fit-name.ts',
      'return head === \'\' ? hash.slice(-max) : `${head}${separator}${hash}`;',
      'return name.slice(0, max);',
    )],
    suites: ['test/core/naming.test.ts'],
  },
  {
    name: 'src/gitops: an object is in the wave of its owner',
    edits: [edit('src/gitops/argo-sync-waves.ts', 'return isData(node) ? 0 : 1;', 'return isData(node) ? 1 : 0;')],
    suites: ['test/gitops/sync-waves.test.ts'],
  },
  {
    name: 'sandbox/azure: a resource is written while its operation runs',
    edits: [edit(
      'sandbox/azure/arm/writes.ts',
      'runningOn(target.id);\n  if (running) throw',
      "runningOn('');\n  if (running) throw",
    )],
    suites: ['test/sandbox/azure/operations.test.ts'],
  },
  {
    name: 'sandbox/kubernetes: null in a merge patch is a value',
    edits: [edit(
      'sandbox/kubernetes/patch/merge-patch.ts',
      'if (value === null) merged.delete(name);',
      'if (value === undefined) merged.delete(name);',
    )],
    suites: ['test/sandbox/kubernetes/patches.test.ts'],
  },
  {
    name: 'sandbox/kubernetes: conflicts of appliers are refused where they are forced',
    edits: [edit(
      'sandbox/kubernetes/patch/server-side-apply.ts',
      'conflicts.length > 0 && !options.force',
      'conflicts.length > 0 && options.force',
    )],
    suites: ['test/sandbox/kubernetes/patches.test.ts'],
  },
  {
    name: 'runtime/shards: a term of the group\'s Lease is longer than was proven, by another member\'s write',
    edits: [edit('runtime/shards/group-lease.ts', "this.fence.renew('group', before.sent);", "this.fence.renew('group', sent);")],
    suites: [GROUP_LEASE],
  },
  {
    name: 'runtime/shards: a term of the group\'s Lease is longer than was proven, by the time of the answer',
    edits: [edit('runtime/shards/group-lease.ts', "    this.fence.renew('group', sent);", "    this.fence.renew('group', momentOf(this.clocks));")],
    suites: [GROUP_LEASE],
  },
  {
    name: 'runtime/shards: a term of the group\'s Lease is renewed by a Lease that nobody has written',
    edits: [edit('runtime/shards/group-lease.ts', 'if (before && before.text !== seen.text && recordOf(', 'if (before && recordOf(')],
    suites: [GROUP_LEASE],
  },
  {
    name: 'controller/reconcile: a freshness answer is older than the question that was on its way',
    edits: [edit('controller/reconcile/cache-freshness-guard.ts', 'if (asked && this.isGood(asked, since)) return asked.answer;', 'if (asked) return asked.answer;')],
    suites: [FRESHNESS],
  },
  {
    name: 'controller/reconcile: a freshness answer counts from its arrival',
    edits: [edit(
      'controller/reconcile/cache-freshness-guard.ts',
      'setNewest(this.answered, sharedKeyOf(key), question,',
      'setNewest(this.answered, sharedKeyOf(key), { ...question, moment: this.now },',
    )],
    suites: [FRESHNESS],
  },
  {
    name: 'controller/reconcile: a stranger that is throttled keeps the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-locks.ts',
      "const hasSentNothing = left === 'unknown' || left === 'throttled';",
      "const hasSentNothing = left === 'unknown';\n    if (left === 'throttled') return;",
    )],
    suites: [STRANGERS],
  },
  {
    name: 'controller/reconcile: a stranger whose request hangs keeps the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "return isStranger || why === 'writes' ? since : since + LONGEST_ANSWER_MS;",
      "return isStranger || why === 'writes' ? since : Infinity;",
    )],
    suites: [STRANGERS],
  },
  {
    name: 'controller/reconcile: an operation that only annotations speak of keeps the lock of a parent',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts',
      "return isStranger || why === 'writes' ? since : since + LONGEST_ANSWER_MS;",
      "if (why === 'writes') return Infinity;\n    return isStranger ? since : since + LONGEST_ANSWER_MS;",
    )],
    suites: [STRANGERS],
  },
  {
    name: 'controller/reconcile: a request that has waited for its turn is sent while another one below the parent is',
    edits: [edit(
      'controller/reconcile/parent-locks/parent-write-lock.ts', 'if (this.blockerOf(held.writer)) return false;\n', '',
    )],
    suites: [STRANGERS],
  },
  {
    name: 'controller/budget: a probe that hangs is waited for',
    edits: [edit('controller/budget/block.ts', 'this.wait = LONGEST_PROBE_MS;', 'this.wait = Infinity;')],
    suites: ['test/controller/budget/hanging.test.ts'],
  },
  {
    name: 'controller/admission: the Azure name may be taken away once Azure has the resource',
    edits: [edit(
      'controller/admission/validation/write-once.ts',
      "const renamed = name !== '' && name !==",
      "const renamed = name !== '' && textOf(object.spec, 'azureName') !== '' && name !==",
    )],
    suites: ['test/controller/admission/validation.test.ts'],
  },
  {
    name: 'cli/migrate: the records of all releases of Helm in the namespace go with ASO',
    edits: [edit('cli/migrate/steps/remove-aso.ts', '`owner=helm,name=${helmRelease}`', "'owner=helm'")],
    suites: ['test/cli/migrate/remove-aso.test.ts'],
  },
  {
    name: 'src/core/rules: a slash at the end of a subscription hides how far a role reaches',
    edits: [edit('src/core/rules/role-rules.ts', 'armTypeOf(withoutTrailingSlashes(owner.armId))', 'armTypeOf(owner.armId)')],
    suites: ['test/core/rules/rules.test.ts'],
  },
  {
    name: 'cli/migrate: the lease of a migration counts from the answer to a renewal',
    edits: [edit('cli/migrate/migration-lease.ts', 'this.renewedAt = at;', 'this.renewedAt = this.clock.now();')],
    suites: ['test/cli/migrate/journal-and-lease.test.ts'],
  },
  {
    name: 'cli/migrate: the lease of a migration counts from the answer to its first write',
    edits: [edit('cli/migrate/migration-lease.ts', 'found, holder, at), at);', 'found, holder, at), clock.now());')],
    suites: ['test/cli/migrate/journal-and-lease.test.ts'],
  },
  {
    name: 'cli/migrate: a migration goes on while the old leader may still act',
    edits: [edit(
      'cli/migrate/steps/stop-watchers.ts',
      "if (holder !== '' && !isCurrent && !isExpired) return",
      "if (holder !== '' && isCurrent && !isExpired) return",
    )],
    suites: ['test/cli/migrate/stop-watchers.test.ts'],
  },
  {
    name: 'cli/migrate: manifests are applied after the lease has run out',
    edits: [edit(
      'cli/migrate/session.ts',
      "fieldManager: 'kubectl', mayWrite: () => lease.isHeld }",
      "fieldManager: 'kubectl' }",
    )],
    suites: ['test/cli/migrate/session.test.ts'],
  },
  {
    name: 'cli/migrate: a step writes after the lease has run out',
    edits: [edit(
      'cli/migrate/session.ts',
      'this.client.withMayWrite(() => lease.isHeld), lease)',
      'this.client.withMayWrite(() => !lease.isLost), lease)',
    )],
    suites: ['test/cli/migrate/session.test.ts'],
  },
  {
    name: 'cli/migrate: a renewal under way takes the lease again after a release',
    edits: [edit(
      'cli/migrate/migration-lease.ts',
      '    await this.running;\n',
      '',
    )],
    suites: ['test/cli/migrate/journal-and-lease.test.ts'],
  },
  {
    name: 'cli/migrate: a lease that another process has taken over is renewed',
    edits: [edit(
      'cli/migrate/migration-lease.ts',
      'if (found && specOf(found).holderIdentity === this.holder) this.object = found;',
      'if (found) this.object = found;',
    )],
    suites: ['test/cli/migrate/journal-and-lease.test.ts'],
  },
  {
    name: "cli/migrate: the old leader's Lease ends by the clock of this machine",
    edits: [edit(
      'cli/migrate/steps/stop-watchers.ts',
      '< await serverTime(connection);',
      '< Date.now();',
    )],
    suites: ['test/cli/migrate/stop-watchers.test.ts'],
  },
  {
    name: 'controller/reconcile/core: after a refusal a resource of another party counts as made by the object',
    edits: [edit(
      'controller/reconcile/core/put-record.ts',
      'const { found: _, shown: __,',
      'const { shown: __,',
    )],
    suites: ['test/controller/reconcile/adoption.test.ts'],
  },
  {
    name: "cli/manifests: a chart's tests are templates",
    edits: [edit('cli/manifests/folders/chart.ts', "depth === 0 && entry.name === 'tests'", "depth === 9 && entry.name === 'tests'")],
    suites: ['test/cli/manifests/folders/templates.test.ts'],
  },
  {
    name: 'cli/manifests: the base of an overlay is a set by itself where paths are relative',
    edits: [edit('cli/manifests/folders/roots.ts', 'used.has(resolve(directory))', 'used.has(directory)')],
    suites: ['test/cli/manifests/folders/kustomize.test.ts'],
  },
  {
    name: 'engine/compare: texts that are no time spans are the same one',
    edits: [edit('engine/compare/scalars.ts', 'a !== undefined && a === b', 'a === b')],
    suites: ['test/engine/compare/compare.test.ts'],
  },
  {
    name: 'runtime/webhooks: a request of a slow client ends itself for room',
    edits: [edit('runtime/webhooks/byte-budget.ts', 'holder !== by && holder.isSlow', 'holder.isSlow')],
    suites: ['test/runtime/webhooks/byte-budget.test.ts'],
  },
  {
    name: 'engine/arm: of an answer without an id, the names of all levels are needed',
    edits: [edit('engine/arm/same-resource.ts', "name === names.at(-1) || name === names.join('/')", "name === names.join('/')")],
    suites: ['test/engine/arm/arm-reader.test.ts'],
  },
  {
    name: 'runtime/shards: the member with the least weight owns a namespace',
    edits: [edit('runtime/shards/rendezvous.ts', 'own < greatest ||', 'own > greatest ||')],
    suites: ['test/runtime/shards/rendezvous.test.ts'],
  },
];
