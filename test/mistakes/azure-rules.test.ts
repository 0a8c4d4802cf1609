import { describeCases } from './azure-rule-cases';
import { EXCEPTIONS, RULES_OF_SETS } from './found-by';
import { allAzureRules } from '../../src/azure/rules/all';
import { allRules } from '../../src/core/rules/all-rules';
import { CASES } from '../azure/rules/cases';

describeCases('sample');

test('exceptions are cases, and rules of several objects are rules', () => {
  const ids = new Set(allRules().map(({ id }) => id));
  const rules = new Set(allAzureRules().map(({ id }) => id));
  for (const { rule, wrong } of EXCEPTIONS) {
    expect([rule, CASES.some((one) => one.rule === rule && JSON.stringify(one.wrong).includes(wrong))]).toEqual([rule, true]);
  }
  for (const { rule } of RULES_OF_SETS) expect([rule, ids.has(rule), rules.has(rule)]).toEqual([rule, true, false]);
});
