import { allowedBy, type Wish } from './rbac';
import { apiVersionOf } from '../../../src/object-id';
import { isRecord } from '../../../src/util/records';
import type { Resolved } from '../resources/registry';
import type { ServiceAccountTokens } from '../service-account-tokens';
import type { Store } from '../storage/store';

const SELF = { username: 'sandbox', groups: ['system:masters', 'system:authenticated'] };
const ALLOWED = { allowed: true, reason: 'the sandbox allows everything' };

/** The sources of the answers to reviews. */
export interface ReviewFacts {
  readonly store: Store;
  readonly tokens: ServiceAccountTokens;
}

/** Any user may do everything, unless tokens and roles say otherwise. */
export function review({ definition, version }: Resolved, body: unknown, facts: ReviewFacts): object {
  const asked = isRecord(body) ? body : {};
  const spec = isRecord(asked.spec) ? asked.spec : {};
  const { group, kind } = definition;
  return { ...asked, apiVersion: apiVersionOf({ group, version: version.name }), kind, status: statusOf(kind, spec, facts) };
}

function statusOf(kind: string, spec: Record<string, unknown>, { store, tokens }: ReviewFacts): object {
  switch (kind) {
    case 'TokenReview': return tokens.review(String(spec.token ?? ''), strings(spec.audiences));
    case 'SelfSubjectReview': return { userInfo: SELF };
    case 'SelfSubjectRulesReview':
      return {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      };
    case 'SubjectAccessReview':
    case 'LocalSubjectAccessReview': return access(spec, store);
    default: return ALLOWED;
  }
}

function access(spec: Record<string, unknown>, store: Store): object {
  const user = { username: String(spec.user ?? ''), groups: strings(spec.groups) };
  if (user.username === SELF.username || user.groups.includes('system:masters')) return ALLOWED;
  const binding = allowedBy(store, user, spec as Wish);
  return binding === undefined ? { allowed: false } : { allowed: true, reason: `RBAC: allowed by ${binding}` };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
