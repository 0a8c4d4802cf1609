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

/** Times at which no alert may fire, or at which these must. */
export interface Expectation {
  readonly input: readonly Series[];
  readonly minutes: number;
  /** Alerts that must fire at the end; all others must not. */
  readonly firing: readonly string[];
}

/** Runs promtool's test of rules; throws with its output where an expectation does not hold. */
export function testRules(expectations: readonly Expectation[]): void {
  const directory = mkdtempSync(join(tmpdir(), 'promtool-'));
  const spec = alerts();
  // Which labels an alert has does not matter here: a rule without labels stands in for each.
  const names = spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const summary = {
    groups: [
      { name: 'alerts', interval: '1m', rules: spec.groups.flatMap(({ rules }) => rules.map(({ alert, expr, for: hold }) => ({ alert, expr, ...(hold && { for: hold }) }))) },
    ],
  };
  writeFileSync(join(directory, 'rules.json'), JSON.stringify(summary));
  const tests = expectations.map(({ input, minutes, firing }) => ({
    interval: '1m',
    input_series: input,
    promql_expr_test: names.map((name) => ({
      expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) > bool 0`,
      eval_time: `${minutes}m`,
      exp_samples: firing.includes(name) ? [{ labels: '{}', value: 1 }] : [],
    })),
  }));
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
