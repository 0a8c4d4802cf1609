import { crowd, probesOf, teamsOf } from '../../bench/shared/environment/teams';
import { runRules } from '../../src/core/rules/run-rules';

const CREDENTIAL = { tenantId: 'tenant', clientId: 'client', clientSecret: 'secret' };

/** The mistakes that Azure would refuse in objects of a bench. */
function mistakesIn(objects: readonly object[]): string[] {
  const { findings } = runRules(objects as Parameters<typeof runRules>[0]);
  return findings.filter(({ severity }) => severity === 'error').map(({ rule, message }) => `${rule}: ${message}`);
}

test('objects of the benches: Azure takes them', () => {
  for (const { core, objects } of teamsOf(170, 4, CREDENTIAL)) expect(mistakesIn([...core, ...objects])).toEqual([]);
  const { core, objects } = crowd('crowded', 120, 0, CREDENTIAL);
  expect(mistakesIn([...core, ...objects])).toEqual([]);
  const probes = probesOf('probes', 10);
  expect(mistakesIn([probes.group, ...probes.objects])).toEqual([]);
});
