import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { ControllerAlerts, type ControllerAlertsProps } from '../../../src/operator';

/** promtool of Prometheus, where it is installed (Debian: package prometheus). */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function alerts(props: ControllerAlertsProps = {}): { readonly groups: readonly { readonly rules: readonly Rule[] }[] } {
  const chart = new Chart(Testing.app() as App, 'monitoring');
  new ControllerAlerts(chart, 'alerts', props);
  return (Testing.synth(chart) as { spec: { groups: { rules: Rule[] }[] } }[])[0]!.spec;
}

/** A series in the notation of promtool, e.g. `0+5x60`. */
export interface Series {
  readonly series: string;
  readonly values: string;
}

/** The alerts that series must lead to. */
export interface Expectation {
  readonly input: readonly Series[];
  readonly minutes: number;
  /** Alerts that must fire at the end; all others must not. */
  readonly firing: readonly string[];
  /** The same at times before the end. */
  readonly before?: readonly { readonly minute: number; readonly firing: readonly string[] }[];
  /** Alerts that may have fired at any time; no other one may. Not checked by default. */
  readonly everFiring?: readonly string[];
  /** Alerts that are not looked at. */
  readonly may?: readonly string[];
}

/** Runs promtool's test of rules; throws with its output where an expectation does not hold. `intervalSeconds`: between two samples. */
export function testRules(expectations: readonly Expectation[], intervalSeconds = 60): void {
  // Which labels an alert has does not matter here: a rule without labels stands in for each.
  const rules = alerts().groups.flatMap((group) => group.rules)
    .map(({ alert, expr, for: hold }) => ({ alert, expr, ...(hold && { for: hold }) }));
  const interval = `${intervalSeconds}s`;
  const query = (expr: string, minute: number, names: readonly string[]) => ({
    expr: `group by (alertname) (${expr})`,
    eval_time: `${minute}m`,
    exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  });
  const tests = expectations.map(({ input, minutes, firing, before = [], everFiring, may = [] }) => ({
    interval,
    input_series: input,
    promql_expr_test: [
      ...[...before, { minute: minutes, firing }].map(({ minute, firing: names }) => query(`ALERTS{${firingBut(may)}}`, minute, names)),
      ...(everFiring ? [query(`count_over_time(ALERTS{${firingBut(may)}}[1d])`, minutes, everFiring)] : []),
    ],
  }));
  promtoolTest([{ name: 'alerts', interval: '1m', rules }], tests);
}

function firingBut(names: readonly string[]): string {
  return `alertstate="firing",alertname!~"${names.join('|')}"`;
}

/** Throws where a query has never answered anything. */
export function testAnswers(input: readonly Series[], minutes: number, queries: readonly string[], intervalSeconds = 60): void {
  const rules = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
  const promql_expr_test = queries.map((_, index) => (
    { expr: `count(count_over_time(query:${index}[1d])) > bool 0`, eval_time: `${minutes}m`, exp_samples: [{ labels: '{}', value: 1 }] }
  ));
  promtoolTest([{ name: 'queries', interval: '1m', rules }], [{ interval: `${intervalSeconds}s`, input_series: input, promql_expr_test }]);
}

function promtoolTest(groups: readonly object[], tests: readonly object[]): void {
  const directory = mkdtempSync(join(tmpdir(), 'promtool-'));
  writeFileSync(join(directory, 'rules.json'), JSON.stringify({ groups }));
  writeFileSync(join(directory, 'test.json'), JSON.stringify({ rule_files: ['rules.json'], evaluation_interval: '1m', tests }));
  try {
    execFileSync('promtool', ['test', 'rules', join(directory, 'test.json')], { stdio: 'pipe' });
  } catch (error) {
    throw new Error((error as { stdout: Buffer; stderr: Buffer }).stdout.toString() + (error as { stderr: Buffer }).stderr.toString());
  }
}

/** Checks rules as Prometheus would load them. */
export function checkRules(groups: unknown): void {
  const file = join(mkdtempSync(join(tmpdir(), 'promtool-')), 'rules.json');
  writeFileSync(file, JSON.stringify(groups));
  execFileSync('promtool', ['check', 'rules', file], { stdio: 'pipe' });
}
