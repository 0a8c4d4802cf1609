import { annotation, either, OF_AZURE } from './facts';
import {
  ASO_PREFIX,
  CREDENTIAL_FROM,
  LIBRARY_PREFIX,
  RECONCILE_POLICY,
  ADOPT,
  IGNORE_CHANGES,
  IGNORE_RULES,
  REMOVAL_POLICY,
} from '../../../azure/annotations';
import { ReconcilePolicy } from '../../../core';
import { all, any, everyEntry, is, IS_NEW, member, not, OBJECT, oneOf, startsWith, Text, unchanged, unchangedEntry } from '../condition';
import type { Limit } from '../limit';
import type { TeamPolicy } from '../team-policy';

const PREFIXES = [ASO_PREFIX, LIBRARY_PREFIX];

/** Annotations whose effect is limited to the object itself. */
const HARMLESS = [CREDENTIAL_FROM, RECONCILE_POLICY, ADOPT, IGNORE_CHANGES, IGNORE_RULES, REMOVAL_POLICY];

/** Limits on the operator's annotations. */
export function annotationLimits({ options, credentials }: TeamPolicy): Limit[] {
  const policies: string[] = options.reconcilePolicies ?? Object.values(ReconcilePolicy);
  const allowed = [...HARMLESS, ...(options.annotations ?? [])];
  const own = credentials.filter((name) => name !== 'aso-credential');
  return [
    {
      id: 'self-service-credential',
      concerns: OF_AZURE,
      holds: oneOf(annotation(CREDENTIAL_FROM), ['', ...own]),
      field: `metadata.annotations['${CREDENTIAL_FROM}']`,
      found: annotation(CREDENTIAL_FROM),
      rule: `has to be ${own.length > 0 ? either(own) : 'left out'}: other credentials are not for this team.`,
      option: 'credentials',
    },
    {
      id: 'self-service-reconcile-policy',
      concerns: OF_AZURE,
      holds: any(
        unchanged('metadata', 'annotations', RECONCILE_POLICY),
        // With an empty list, the team may not remove the platform's annotation either.
        policies.length === 0 ? all(IS_NEW, is(annotation(RECONCILE_POLICY), '')) : oneOf(annotation(RECONCILE_POLICY), ['', ...policies]),
      ),
      field: `metadata.annotations['${RECONCILE_POLICY}']`,
      found: annotation(RECONCILE_POLICY),
      rule: policies.length === 0 ? 'may not be touched.' : `has to be ${either(policies)}, or left out.`,
      option: 'reconcilePolicies',
    },
    {
      id: 'self-service-annotation',
      concerns: OF_AZURE,
      holds: everyEntry(member(OBJECT, 'metadata', 'annotations'), (key) => any(
        not(startsWith(key, PREFIXES)),
        oneOf(key, allowed),
        // The operator's annotations stay on an object when a user changes the object.
        unchangedEntry(['metadata', 'annotations'], key),
      )),
      field: 'metadata.annotations',
      found: reserved(allowed),
      rule: `of ${PREFIXES.join(' and ')} other than ${allowed.join(', ')} are for the operator and the platform.`,
      option: 'annotations',
    },
  ];
}

/** The annotations that only the operator and the platform may write. */
function reserved(allowed: readonly string[]): Pick<Text, 'read'> {
  const annotations = member(OBJECT, 'metadata', 'annotations');
  return {
    read: (environment) => Object.keys((annotations.read(environment) ?? {}) as object)
      .filter((key) => PREFIXES.some((prefix) => key.startsWith(prefix)) && !allowed.includes(key)).join(', '),
  };
}
