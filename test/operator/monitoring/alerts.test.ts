import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart, Size, Testing } from 'cdk8s';
import { FAULTS, PASSING, PEACE } from './faults';
import { alerts, checkRules, hasPromtool, testRules } from './promtool';
import { ControllerAlerts, ControllerDashboard } from '../../../src/operator';
import { DASHBOARD_ROWS } from '../../../src/operator/monitoring/dashboard-panels';

interface Panel {
  readonly id: number;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const withPromtool = hasPromtool ? test : test.skip;
const runbooks = readFileSync(join(__dirname, '../../../docs/runbooks.md'), 'utf8');

withPromtool('promtool accepts the rules, and the queries of the dashboard', () => {
  checkRules(alerts());
  const rules = DASHBOARD_ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries))
    .map(({ expr }, index) => ({ record: `panel:${index}`, expr: expr.replaceAll('$S', 'job="x"') }));
  checkRules({ groups: [{ name: 'panels', rules }] });
});

withPromtool('an hour and a half of peace: no alert', () => {
  testRules([{ input: PEACE, minutes: 90, firing: [] }, ...PASSING.map(([, input]) => ({ input, minutes: 90, firing: [] }))]);
});

withPromtool('each alert fires in its fault, and no other one', () => {
  expect(new Set(FAULTS.map(([alert]) => alert))).toEqual(new Set(ControllerAlerts.names));
  testRules(FAULTS.map(([alert, input, ...also]) => ({ input, minutes: 90, firing: [alert, ...also] })));
});

test('each alert has a runbook, and each runbook an alert', () => {
  const sections = [...runbooks.matchAll(/^## (Aso\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(ControllerAlerts.names);
  for (const { alert, annotations } of alerts().groups[0]!.rules) expect(annotations.runbook_url).toMatch(new RegExp(`runbooks#${alert.toLowerCase()}$`));
});

test('labels, matchers, the memory limit, and alerts that are left out', () => {
  const [group] = alerts({ matchers: 'job="aso"', labels: { team: 'platform' }, disable: ['AsoNoLeader'], memoryLimit: Size.gibibytes(1) }).groups;
  expect(group!.rules.map(({ alert }) => alert)).not.toContain('AsoNoLeader');
  expect(group!.rules.every(({ labels }) => labels.team === 'platform')).toBe(true);
  expect(group!.rules.find(({ alert }) => alert === 'AsoControllerMemory')!.expr).toBe('max by (pod) (process_resident_memory_bytes{job="aso"}) > 966367641');
  expect(() => alerts({ disable: ['AsoNoLeadr'] })).toThrow('there is no alert \'AsoNoLeadr\'. Did you mean \'AsoNoLeader\'?');
});

test('the dashboard: panels do not overlap, and each query has the matchers', () => {
  const chart = new Chart(Testing.app(), 'monitoring');
  const { json } = new ControllerDashboard(chart, 'dashboard', { controllerNamespace: 'aso' });
  const [configMap] = Testing.synth(chart) as { kind: string; metadata: { labels: object }; data: Record<string, string> }[];
  expect([configMap!.kind, configMap!.metadata.labels]).toEqual(['ConfigMap', { grafana_dashboard: '1' }]);
  const { panels } = JSON.parse(json) as { panels: Panel[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { expr } of panels.flatMap(({ targets = [] }) => targets)) {
    expect(expr).toContain('namespace="aso"');
    expect(expr).not.toContain('$S');
  }
  for (const [index, { gridPos: one }] of panels.entries()) {
    expect(one.x + one.w).toBeLessThanOrEqual(24);
    for (const { gridPos: other } of panels.slice(index + 1)) {
      const overlap = one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
      expect([one, other, overlap]).toEqual([one, other, false]);
    }
  }
});
