import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { OwnerGraph } from '../core/graph';
import { cyclesOf } from '../core/graph/cycles';

/** The charts of an app that have to be applied before others, by the owner graph of the app. */
export class ChartDependencies {
  /** Chart → the charts that it waits for, each with the node and the node of the other chart that are the reason. */
  private readonly reasons = new Map<Chart, Map<Chart, string>>();

  /** @param root the app; references between its charts count, whatever part of it they are in */
  public constructor(root: IConstruct, private readonly charts: readonly Chart[]) {
    const graph = OwnerGraph.of(root);
    const chartOf = new Map<string, Chart>();
    for (const construct of root.node.findAll()) {
      const chart = ApiObject.isApiObject(construct) ? Chart.of(construct) : undefined;
      if (chart && charts.includes(chart)) chartOf.set(construct.node.path, chart);
    }
    for (const node of graph.nodes) {
      const chart = chartOf.get(node.constructPath ?? '');
      if (!chart) continue;
      for (const needed of graph.dependenciesOf(node)) {
        const other = chartOf.get(needed.constructPath ?? '');
        if (!other || other === chart) continue;
        const ofChart = this.reasons.get(chart) ?? new Map<Chart, string>();
        if (!ofChart.has(other)) ofChart.set(other, `${node.kind} ${node.name} needs ${needed.kind} ${needed.name}`);
        this.reasons.set(chart, ofChart);
      }
    }
  }

  /** The charts that have to be applied before a chart, in the order of the list. */
  public before(chart: Chart): Chart[] {
    const reasons = this.reasons.get(chart);
    return this.charts.filter((other) => reasons?.has(other));
  }

  /** Charts that wait for each other, as texts: `a (ResourceGroup x needs …) → b (…) → a`. */
  public get cycles(): string[] {
    const neighbours = (index: number) => this.before(this.charts[index]!).map((other) => this.charts.indexOf(other));
    return cyclesOf(this.charts.length, neighbours, (index) => index).map((steps) => {
      const texts = steps.map(({ at, edge }) => `${this.charts[at]!.node.path} (${this.reasons.get(this.charts[at]!)!.get(this.charts[edge]!)})`);
      return [...texts, this.charts[steps[0]!.at]!.node.path].join(' → ');
    });
  }
}
