import { edit, type SourceMutant } from '../by-suites';

const ENDS = 'test/rows/operation-ends.test.ts';
const AUTHORITY = 'test/engine/credentials/hostile-authority.test.ts';
const FILES = 'test/engine/bounded-file.test.ts';
const TOKENS = 'test/engine/credentials/token-credential.test.ts';
const BOUNDED = 'test/engine/http/bounded-client.test.ts';
const LARGE = 'test/engine/http/large-bodies.test.ts';
const DATABASES = 'test/controller/databases/hostile-servers.test.ts';
const FAILED = 'test/controller/reconcile/failed-resource.test.ts';
const DELETION = 'test/controller/reconcile/deletion.test.ts';

/** Careless readings of Azure's answers: an end that is none, a failure that is missed, requests without end. */
export const AZURE: readonly SourceMutant[] = [
  {
    name: 'engine/arm: an empty answer of a proxy is the end of an operation',
    edits: [edit('engine/arm/poll-operation.ts', 'if (response.status === 202 || isSigned(response)) return false;', 'if (response.status >= 200) return false;')],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: an empty unsigned 204 ends a deletion',
    edits: [edit('engine/arm/poll-operation.ts', "if (status !== 204 || state.method !== 'DELETE' || !isSigned(response)) {", "if (status !== 204 || state.method !== 'DELETE') {")],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: a deletion is over although the resource is there',
    edits: [edit('engine/arm/poll-operation.ts', 'return isOver ? afterDeletion(client, watched(state), signal) : step;', 'return step;')],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: a Location does not read the state of the operation',
    edits: [edit('engine/arm/poll-operation.ts', "worstOf(provisioningStateOf(body), textMember(body, 'status'))", 'worstOf(provisioningStateOf(body), undefined)')],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: a success with an error is a success',
    edits: [edit('engine/arm/poll-operation.ts', '  if (!hasError(body)) return undefined;\n  const error', '  if (word !== undefined || !hasError(body)) return undefined;\n  const error')],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: an empty answer of a proxy to a PUT is a success',
    edits: [edit('engine/arm/operation.ts', "request.method !== 'DELETE' && status !== 202 &&", "request.method === 'POST' && status !== 202 &&")],
    suites: [ENDS],
  },
  {
    name: 'engine/arm: Disabled is a state that passes',
    edits: [edit('engine/arm/operation-status.ts', "new Set(['disabled', 'suspended',", "new Set(['suspended',")],
    suites: [FAILED],
  },
  {
    name: 'controller/reconcile: a failed resource is Ready after a PUT',
    edits: [edit('controller/reconcile/core/success.ts', "if (state.outcome === 'failed') return failedInAzure(", "if (state.outcome === 'failed' && observed.inSync) return failedInAzure(")],
    suites: [FAILED],
  },
  {
    name: 'controller/reconcile: a failed resource is sent at each look',
    edits: [edit('controller/reconcile/core/failed-resource.ts', '(DELAYS[last.times - 1] ?? LONGEST_DELAY) / timeScale', '(DELAYS[99] ?? 0) / timeScale')],
    suites: [FAILED],
  },
  {
    name: 'controller/reconcile: operations that fail are begun at once again',
    edits: [edit('controller/reconcile/core/failed-resource.ts', 'failed.times <= PROMPT_OPERATIONS ||', 'failed.times > 0 ||')],
    suites: [FAILED],
  },
  {
    name: 'controller/reconcile: a restart forgets how often a resource was sent',
    edits: [edit('controller/reconcile/core/put-record.ts', '...(failed ? { corrected: failed } : {}),', '...(failed ? {} : {}),')],
    suites: [FAILED],
  },
  {
    name: 'controller/reconcile: the reason of a failed resource shows a secret',
    edits: [edit('controller/reconcile/imported-secrets.ts', "  if (outcome.of === 'read') return { ...outcome, ...seen };", '')],
    suites: ['test/controller/reconcile/quoted-secrets.test.ts'],
  },
  {
    name: 'controller/reconcile: a warning of Azure is an event at each look',
    edits: [edit('controller/reconcile/core/success.ts', ' && readyOf(object)?.message !== message;', ';')],
    suites: [FAILED],
  },
  {
    name: 'controller/drift-detection: a row of a failed resource confirms the object',
    edits: [edit('controller/drift-detection/baseline-store.ts', 'return !seenRow.hasFailed && seenRow.digest', 'return seenRow.digest')],
    suites: ['test/controller/drift-detection/batch-drift-detection.test.ts'],
  },
  {
    name: 'engine/credentials: an identity file of any size',
    edits: [
      edit('engine/bounded-file.ts', 'found.size === 0 || found.size > maxBytes)', 'found.size === 0)'),
      edit('engine/bounded-file.ts', 'Buffer.alloc(maxBytes + 1)', 'Buffer.alloc(Math.max(maxBytes, found.size) + 1)'),
      edit('engine/bounded-file.ts', 'if (length > maxBytes) throw', 'if (length < 0) throw'),
    ],
    suites: [TOKENS],
  },
  {
    name: 'engine/credentials: an identity file that grows is read whole',
    edits: [edit('engine/bounded-file.ts', 'if (length > maxBytes) throw', 'if (length < 0) throw')],
    suites: [FILES],
  },
  {
    name: 'engine/credentials: a token of any size',
    edits: [edit('engine/credentials/token-credential.ts', 'maxBodyBytes: 64 * 1024,', 'maxBodyBytes: 64 * 1024 * 1024,')],
    suites: [AUTHORITY],
  },
  {
    name: 'engine/credentials: a token is asked for at any host',
    edits: [edit('engine/credentials/cloud.ts', "if (isForeignAuthority(authorityHost) || url.port !== '') return false;", 'if (isForeignAuthority(authorityHost)) return true;')],
    suites: [AUTHORITY],
  },
  {
    name: 'engine/http: an answer that broke off is whole',
    edits: [edit('engine/http/bounded-body.ts', 'if (!isEmpty) throw new', 'if (received === 0 && !isEmpty) throw new')],
    suites: [BOUNDED, AUTHORITY],
  },
  {
    name: 'engine/http: a large body keeps its place',
    edits: [edit('engine/http/bounded-body.ts', '    leave?.();\n', '    if (received === 0) leave?.();\n')],
    suites: [LARGE],
  },
  {
    name: 'engine/http: a host takes all places for large bodies',
    edits: [edit('engine/http/large-bodies.ts', '(this.taken.get(host) ?? 0) < this.perHost', '(this.taken.get(host) ?? 0) < this.places')],
    suites: [LARGE],
  },
  {
    name: 'engine/arm: an answer has any number of values',
    edits: [edit('engine/arm/json.ts', 'depth > DEEPEST_ANSWER || values > MOST_VALUES', 'depth > DEEPEST_ANSWER')],
    suites: ['test/azure/parse-answer.test.ts'],
  },
  {
    name: 'engine/arm: a cloud that a tenant names has the limits of Azure',
    edits: [edit('engine/arm/arm-client.ts', 'options.isForeign ? FOREIGN_LIMITS : ARM_LIMITS', 'options.isForeign === false ? FOREIGN_LIMITS : ARM_LIMITS')],
    suites: ['test/engine/credentials/foreign-cloud.test.ts'],
  },
  {
    name: 'controller/databases: a server that does not close keeps its connection',
    edits: [edit('controller/databases/connected.ts', 'deadline.expired]).catch(() => session.destroy());', 'deadline.expired]).catch(() => undefined);')],
    suites: [DATABASES],
    test: 'that does not close',
  },
  {
    name: 'engine/credentials: a certificate of any size',
    edits: [edit('engine/credentials/certificate.ts', 'LARGEST_CONTENT = 256 * 1024;', 'LARGEST_CONTENT = 256 * 1024 * 1024;')],
    suites: ['test/engine/credentials/hostile-certificates.test.ts'],
  },
  {
    name: 'controller/budget: a second refusal makes the wait shorter',
    edits: [edit(
      'controller/budget/block.ts',
      "this.wait = this.state === 'blocked' ? Math.max(this.remaining(now), wait) : wait;",
      'this.wait = wait;',
    )],
    suites: ['test/controller/budget/limits.test.ts'],
  },
  {
    name: 'engine/arm: an operation is about the resource that its token names',
    edits: [edit(
      'engine/arm/operation-token.ts',
      'originalUrl: originalUrl ?? urlOf(url), state })',
      'originalUrl: url === undefined && originalUrl ? originalUrl : urlOf(url), state })',
    )],
    suites: ['test/engine/arm/operation-token.test.ts'],
  },
  {
    name: 'engine/arm: a refusal of a proxy to read the resource ends its deletion',
    edits: [edit(
      'engine/arm/poll-operation.ts',
      'return isRefused && isSigned(response) ? {',
      'return isRefused ? {',
    )],
    suites: ['test/rows/operation-ends.test.ts'],
  },
  {
    name: 'controller/reconcile/core: a newer spec that Azure has refused counts as sent',
    edits: [edit(
      'controller/reconcile/core/apply.ts',
      'const object = withAnnotations(sent, { [LATEST_GENERATION]: sendsAgain.sentGeneration });',
      'const object = sent;',
    )],
    suites: ['test/controller/reconcile/overdue.test.ts'],
  },
  {
    name: 'controller/reconcile/core: an answer that was lost begins the count of corrections anew',
    edits: [edit(
      'controller/reconcile/core/put-record.ts',
      'observed.corrected ?? (old?.generation === object.metadata.generation ? old?.corrected : undefined)',
      'observed.corrected',
    )],
    suites: ['test/controller/reconcile/failed-resource.test.ts'],
  },
  {
    name: 'engine/arm: a 202 at the Location of a POST is its result',
    edits: [edit('engine/arm/poll-operation.ts', 'state.pollUrl === state.locationUrl && status !== 202)', 'state.pollUrl === state.locationUrl)')],
    suites: [ENDS],
  },
  {
    name: 'controller/reconcile: a refusal of a proxy to read the resource proves its deletion',
    edits: [edit('controller/reconcile/actions/delete-resource.ts', 'error.status === 403 && isOfAzure(error)', 'error.status === 403')],
    suites: [DELETION],
  },
  {
    name: 'controller/reconcile: a refusal in JSON without an id of Azure proves a deletion',
    edits: [edit('controller/reconcile/actions/delete-resource.ts', '!unstructured && requestId !== undefined', '!unstructured || requestId !== undefined')],
    suites: [DELETION],
  },
  {
    name: 'engine/arm: an empty answer of a proxy to a HEAD tells whether the resource is there',
    edits: [edit('engine/arm/arm-reader.ts', 'isSigned(answer) && !isPage', '!isPage')],
    suites: ['test/engine/arm/arm-reader.test.ts', 'test/rows/conditions-arm.test.ts'],
  },
  {
    name: 'controller/reconcile/core: an overdue deletion whose read fails begins anew',
    edits: [edit(
      'controller/reconcile/core/deletion.ts',
      "  if (outcome.during === 'read' && isOverdue(observed, 'delete')) return deleteError(observed, outcome.failure);\n",
      '',
    )],
    suites: ['test/controller/reconcile/overdue.test.ts'],
    test: 'gets no DELETE while',
  },
  {
    name: 'engine/arm: what began at an unknown time began a moment ago',
    edits: [edit('engine/arm/poll-operation.ts', 'since !== undefined && now - since < lag;', 'now - (since ?? now) < lag;')],
    suites: ['test/engine/arm/operation.test.ts'],
  },
  {
    name: 'engine/arm: a provider is registered by a replica that looks after the object no more',
    edits: [edit(
      'engine/arm/provider-registration.ts',
      'apiVersion: REGISTRATION_API_VERSION, ...(beforeSending && { beforeSending }) } as const;',
      'apiVersion: REGISTRATION_API_VERSION } as const;',
    )],
    suites: ['test/engine/arm/arm-client.test.ts'],
  },
  {
    name: 'engine/http: an answer that has come keeps its timer',
    edits: [edit('engine/http/bounded-client.ts', '      } finally {\n        clear();\n      }', '      }')],
    suites: [BOUNDED],
    test: 'no timer',
  },
  {
    name: 'engine/arm: an answer that has come keeps its timer',
    edits: [edit('engine/arm/arm-client.ts', '  } finally {\n    deadline.clear();\n  }', '  }')],
    suites: ['test/engine/arm/arm-client.test.ts'],
    test: 'no timer',
  },
  {
    name: 'engine/credentials: a token that has come keeps its timer',
    edits: [edit('engine/credentials/token-credential.ts', '    } finally {\n      deadline.clear();\n    }', '    }')],
    suites: [TOKENS],
    test: 'no timer',
  },
  {
    name: 'engine/arm: a poll that a gateway refuses fails the operation',
    edits: [edit('engine/arm/poll-operation.ts', '429, 500, 502, 503, 504]', '429, 500, 503]')],
    suites: ['test/engine/arm/operation.test.ts'],
  },
  {
    name: 'engine/kubernetes: an answer that has come keeps its timer',
    edits: [edit(
      'engine/kubernetes/connection.ts',
      '        } finally {\n          deadline.clear();\n        }',
      '        } finally {\n        }',
    )],
    suites: ['test/engine/kubernetes/rest-client.test.ts'],
    test: 'no timer',
  },
  {
    name: 'controller/databases: a session that has ended keeps its timer',
    edits: [edit('controller/databases/connected.ts', '    deadline.clear();\n    await closed', '    await closed')],
    suites: ['test/controller/databases/connected.test.ts'],
  },
  {
    name: 'controller/databases: a connection that has closed keeps its timer',
    edits: [edit(
      'controller/databases/connected.ts',
      '.catch(() => session.destroy());\n  deadline.clear();',
      '.catch(() => session.destroy());',
    )],
    suites: ['test/controller/databases/connected.test.ts'],
  },
  {
    name: 'controller/reconcile: an edit back to what Azure still shows ends the operation of the edit before',
    edits: [edit(
      'controller/reconcile/actions/poll-put.ts',
      'existing?.comparison?.digest === record.digest\n    && existing.comparison.drift.every',
      'existing?.comparison?.drift.every',
    )],
    suites: ['test/controller/reconcile/edit-to-ready.test.ts'],
  },
  {
    name: 'engine/arm: a provider is registered with the subscription of the credential',
    edits: [edit(
      'engine/arm/provider-registration.ts',
      '/\\/subscriptions\\/([^/?]+)/i.exec(url)?.[1] ?? client.subscriptionId',
      'client.subscriptionId',
    )],
    suites: ['test/engine/arm/arm-client.test.ts'],
  },
];
