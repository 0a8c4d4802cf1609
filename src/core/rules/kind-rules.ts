import { objectRule, Rule } from './rule';
import { RECONCILE_POLICY } from '../../azure/annotations';
import { isUuidNamed } from '../../azure/uuid-names';
import { text } from '../../util/records';
import { KindFinding, kindFindings } from '../checks/kind-findings';

/** A rule that the constructs check as well. */
function sharedRule(id: KindFinding['rule'], why: string): Rule {
  return objectRule(id, 'error', why, ({ group, kind, spec, facts, name }) =>
    kindFindings(group, kind, spec, facts.azureName ?? text(spec, 'azureName') ?? name)
      .filter(({ rule }) => rule === id)
      .map(({ field, message, fix }) => ({ field: field === '' ? 'spec' : `spec.${field}`, message, fix })));
}

/** What single kinds ask for beyond their schema. */
export const KIND_RULES: readonly Rule[] = [
  sharedRule('communication-domain', 'the webhook refuses it'),
  sharedRule('communication-sender', 'the webhook refuses it'),
  sharedRule('mysql-user', 'the webhook refuses it'),
  sharedRule('mysql-user-alias', 'MySQL has no user names of more than 32 characters'),
  sharedRule('sql-user-characters', 'the operator puts no such text into a statement'),
  objectRule('security-group-type', 'warning', 'the original operator takes enabled and enabledm365 for a group without dynamic members', ({ group, kind, spec }) => {
    if (group !== 'entra.azure.com' || kind !== 'SecurityGroup' || !['enabled', 'enabledm365'].includes(text(spec, 'membershipType') ?? '')) return [];
    return [{ field: 'spec.membershipType', message: 'does not do the same in every operator', fix: 'use assigned or assignedm365' }];
  }),
  objectRule('no-delete', 'info', 'Azure cannot delete such a resource: the object stays until its owner goes', ({ version, annotations, kind, group }) => {
    const { operations } = version.facts;
    if (!version.isArm || isUuidNamed(group, kind) || !operations || operations.includes('DELETE')) return [];
    if (['detach-on-delete', 'skip'].includes(annotations[RECONCILE_POLICY] ?? '')) return [];
    return [{ message: `a ${kind} cannot be deleted alone`, fix: `annotate ${RECONCILE_POLICY}: detach-on-delete if it is to go before its owner` }];
  }),
];
