import type { ApiObject } from 'cdk8s';
import type { AppResource, Report } from './app-resource';
import { ConstructSubject, otherSubject } from './construct-subject';
import { IGNORE_RULES, RECONCILE_POLICY } from '../../azure/annotations';
import { spellPath } from '../../catalog/validate-spec';
import { capitalized } from '../../util/words';
import { rulesFor } from '../rules/all-rules';
import { ObjectSet } from '../rules/object-set';
import type { FoundAt, Rule } from '../rules/rule';
import { suppressionsOf } from '../rules/suppression';

/**
 * Runs the rules common to constructs and manifests. Errors make synth fail; `Rules.check` and `cdk8s-aso check` report the rest.
 * @param others the ConfigMaps, Secrets and workloads of the app
 * @returns the ids of the broken rules
 */
export function ruleProblems(resources: readonly AppResource[], others: readonly ApiObject[], report: Report): ReadonlySet<string> {
  const subjects = resources.map(({ resource, checked }, index) => new ConstructSubject(index, resource, checked));
  const set = new ObjectSet([...subjects, ...others.map((other, index) => otherSubject(resources.length + index, other))], subjects);
  const broken = new Set<string>();
  for (const rule of rulesFor(set)) {
    if (rule.asked !== 'both') continue;
    for (const found of rule.find(set)) {
      const construct = resources[found.object.index]?.resource ?? others[found.object.index - resources.length];
      if (!construct || (found.severity ?? rule.severity) !== 'error') continue;
      broken.add(rule.id);
      if (!suppressionsOf(found.object.annotations[IGNORE_RULES]).reasons.has(rule.id)) report(construct, problemText(rule, found));
    }
  }
  return broken;
}

function problemText({ why }: Rule, { object, field, message, fix }: FoundAt): string {
  return `${object.kind} ${fieldText(object, field)}: ${message}; ${why}. ${capitalized(fix)}.`;
}

/** The field as the prop that users of the construct know. */
function fieldText(object: FoundAt['object'], field: FoundAt['field']): string {
  if (field === undefined) return 'spec';
  if (typeof field === 'string') return object.fieldName(field);
  const key = String(field.at(-1));
  if (key === RECONCILE_POLICY) return 'reconcilePolicy';
  return /^\w+$/.test(key) ? spellPath(field) : `${spellPath(field.slice(0, -1))}["${key}"]`;
}
