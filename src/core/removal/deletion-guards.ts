import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isResource, type ResourceInternals } from '../resource-internals';
import { DeletionGuard } from './deletion-guard';

const GUARD_ID = 'deletion-guard';
const guarded = new WeakSet<IConstruct>();

/**
 * Gives every chart of the app with protected resources an admission policy. The protected resources are known only when the app is
 * complete; every way to synthesize begins with the validation, so the validation creates the policies.
 */
export function guardDeletions(construct: IConstruct): void {
  const { root } = construct.node;
  if (guarded.has(root)) return;
  guarded.add(root);
  root.node.addValidation({ validate: () => guardCharts(root) });
}

function guardCharts(root: IConstruct): string[] {
  const constructs = root.node.findAll();
  const byChart = new Map<Chart, ResourceInternals[]>();
  for (const resource of constructs) {
    if (!isResource(resource) || !resource._isProtected) continue;
    const chart = Chart.of(resource);
    const known = byChart.get(chart);
    if (known) known.push(resource);
    else byChart.set(chart, [resource]);
  }
  for (const construct of constructs) {
    if (!Chart.isChart(construct)) continue;
    const chart = construct as Chart;
    const before = chart.node.tryFindChild(GUARD_ID);
    if (before instanceof DeletionGuard && before.isFor(byChart.get(chart) ?? [])) continue;
    if (before instanceof DeletionGuard) chart.node.tryRemoveChild(GUARD_ID);
    const resources = byChart.get(chart);
    if (resources) new DeletionGuard(chart, GUARD_ID, resources);
  }
  return [];
}
