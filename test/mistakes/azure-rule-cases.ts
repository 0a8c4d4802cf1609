import { refusalOf } from './case-arm';
import { objectsOf, versionOf, type CaseObject } from './case-objects';
import { synthProblems } from './case-synth';
import { doorsOf, EXCEPTIONS, type Door } from './found-by';
import { allAzureRules } from '../../src/azure/rules/all';
import { runRules, type Finding } from '../../src/core/rules/run-rules';
import { capitalized } from '../../src/util/words';
import type { Case } from '../azure/rules/case';
import { CASES } from '../azure/rules/cases';
import { propOf } from '../core/rules/any-resource';

const rules = new Map(allAzureRules().map((rule) => [rule.id, rule]));
/** Rules of one subject: `subnet-outside` and `subnet-overlap`. */
const familyOf = ({ rule }: Case) => rule.split('-')[0];
const SAMPLE = new Set(new Map([...CASES].reverse().map((one) => [familyOf(one), one])).values());

const known = new Map<readonly CaseObject[], readonly Finding[]>();

/** Findings of the rules in the last of some objects, also those that `cdk8s-aso check` tells with the schema's. */
function findingsOf(objects: readonly CaseObject[]): readonly Finding[] {
  let found = known.get(objects);
  if (!found) {
    const { findings, repeated } = runRules(objects);
    known.set(objects, (found = [...findings, ...repeated].filter(({ object }) => object.index === objects.length - 1)));
  }
  return found;
}

const ruleOf = (id: string) => (finding: Finding) => finding.rule === id;
/** Names are checked at synth whether or not a rule asks, with a text of their own. */
const NAMED = /^\w+ azureName: '.*' is no name that Azure takes for /;
const synthText = ({ object, field, message, why, fix }: Finding) => `${object.kind} ${propOf(field)}: ${message}; ${why}. ${capitalized(fix)}.`;
/** The text of the simulator. */
const refusalText = ({ field, message }: Finding) => `The value of '${(field ?? '').replace(/^spec\./, '')}' is not valid: ${message}.`;
/** Whether a place takes the case: Azure does, or the place is an exception. */
const isTaken = (door: Door, { rule, severity }: Case, objects: readonly CaseObject[]) => severity !== undefined
  || !doorsOf(rules.get(rule)!).includes(door)
  || EXCEPTIONS.some((one) => one.rule === rule && one.doors.includes(door) && JSON.stringify(objects.at(-1)!.spec).includes(one.wrong));

/** Each case is found, or taken, at each place. The sample has the first case of each family of rules. */
export function describeCases(which: 'sample' | 'rest'): void {
  const cases = CASES.filter((one) => SAMPLE.has(one) === (which === 'sample')).map((one) => {
    const right = Object.keys(one.right).length > 0 ? objectsOf(one, one.right) : undefined;
    return [`${one.rule}: ${one.kind} ${one.field}`, { one, wrong: objectsOf(one, one.wrong), right }] as const;
  });

  describe('cdk8s-aso check', () => {
    test.each(cases)('%s', (_, { one: { rule, field, severity = 'error' }, wrong, right }) => {
      expect(findingsOf(wrong).filter(ruleOf(rule)).map((finding) => [finding.severity, finding.field])).toEqual([[severity, `spec.${field}`]]);
      if (right) expect(findingsOf(right).filter(ruleOf(rule))).toEqual([]);
    });
  });

  describe('synth', () => {
    test.each(cases)('%s', (_, { one, wrong, right }) => {
      const { rule } = one;
      const [finding] = findingsOf(wrong).filter(ruleOf(rule));
      const found = synthProblems(wrong).filter((problem) => problem === synthText(finding!) || (rule === 'resource-name' && NAMED.test(problem)));
      expect(found).toHaveLength(isTaken('synth', one, wrong) ? 0 : 1);
      if (!right) return;
      // Rules of one document have the same reason.
      const others = findingsOf(right).map(synthText);
      expect(synthProblems(right).filter((problem) => problem.includes(`; ${finding!.why}. `) && !others.includes(problem))).toEqual([]);
    });
  });

  describe('the simulated Azure', () => {
    // Users inside servers are no resources of Azure Resource Manager.
    test.each(cases.filter(([, { one }]) => versionOf(one.kind).isArm))('%s', (_, { one, wrong, right }) => {
      const { rule, field } = one;
      const { code } = rules.get(rule)!;
      const [finding] = findingsOf(wrong).filter(ruleOf(rule));
      const { status, refused } = refusalOf(wrong);
      const found = refused.filter((text) => text.code === code && text.message === refusalText(finding!));
      expect(found.length > 0 && status).toBe(isTaken('simulator', one, wrong) ? false : 400);
      if (!right) return;
      const others = findingsOf(right).map(refusalText);
      const more = refusalOf(right).refused.filter((text) => text.code === code && text.message.startsWith(`The value of '${field}' `));
      expect(more.filter(({ message }) => !others.includes(message))).toEqual([]);
    });
  });
}
