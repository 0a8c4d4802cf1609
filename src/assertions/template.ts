import type { App, Chart } from 'cdk8s';
import { compare, Objects } from './compare';
import { closest, Comparison, matches } from './comparison';
import { KubernetesObject, objectsOf } from './kubernetes-object';
import { closestReport, countReport, unwantedReport } from './report';
import { ResourceType } from './resource-type';

interface Compared {
  readonly object: KubernetesObject;
  readonly comparison: Comparison;
}

/**
 * Synthesized objects, for assertions in tests.
 *
 * A `resourceType` is a kind (`StorageAccount`), a kind with its group or its API version (`storage.azure.com/StorageAccount`,
 * `apps/v1/Deployment`, `v1/Secret`), or an API version alone (`apps/v1`) for all its kinds. A plain object as pattern matches like
 * `Match.objectLike`. Values of Secrets are compared, but never shown.
 */
export class Template {
  /**
   * The objects of a chart, without those of nested charts.
   * @param chart the chart
   * @throws when synthesis finds a problem in the app
   */
  public static fromChart(chart: Chart): Template {
    return Template.fromObjects(chart.toJson() as unknown[]);
  }

  /**
   * The objects of all charts of an app, in their output order.
   * @param app the app
   * @throws when synthesis finds a problem in the app
   */
  public static fromApp(app: App): Template {
    return Template.fromObjects(app.charts.flatMap((chart) => chart.toJson() as unknown[]));
  }

  /**
   * Objects from any source, e.g. `Yaml.load(file)`. Lists (`kind: List`) are expanded.
   * @param objects the objects
   * @throws when one has no `apiVersion` or no `kind`
   */
  public static fromObjects(objects: any[]): Template {
    return new Template(objectsOf(objects));
  }

  private constructor(private readonly all: readonly KubernetesObject[]) {}

  /** All objects. */
  public get objects(): any[] {
    return [...this.all];
  }

  /**
   * Asserts that at least one object matches.
   * @param resourceType a kind, optionally with group or API version, or an API version
   * @param pattern the pattern of the object; default: any object of the type
   * @throws when no object matches, with the closest object and its differences
   */
  public hasResource(resourceType: string, pattern?: any): void {
    const { text, compared, found } = this.look(resourceType, pattern);
    if (found.length > 0) return;
    const best = closest(compared);
    throw new Error(
      best ? closestReport(compared.length, text, best.object, best.comparison) : ResourceType.parse(resourceType).none(this.all),
    );
  }

  /**
   * Asserts that no object matches.
   * @param resourceType a kind, optionally with group or API version, or an API version
   * @param pattern the pattern of the object; default: any object of the type
   * @throws when objects match, with these objects
   */
  public hasNoResource(resourceType: string, pattern?: any): void {
    const { text, found } = this.look(resourceType, pattern);
    if (found.length > 0) throw new Error(unwantedReport(text, found.map(({ object }) => object)));
  }

  /**
   * Asserts the number of objects of the type.
   * @param resourceType a kind, optionally with group or API version, or an API version
   * @param count the expected number
   * @throws when the number differs, with the objects
   */
  public resourceCountIs(resourceType: string, count: number): void {
    const type = ResourceType.parse(resourceType);
    const objects = type.of(this.all);
    if (objects.length === count) return;
    const message = countReport(resourceType, count, objects);
    throw new Error(objects.length === 0 ? `${message} ${type.none(this.all)}` : message);
  }

  /**
   * The matching objects of the type; empty if there are none.
   * @param resourceType a kind, optionally with group or API version, or an API version
   * @param pattern the pattern of the objects; default: all objects of the type
   */
  public findResources(resourceType: string, pattern?: any): any[] {
    return this.look(resourceType, pattern).found.map(({ object }) => object);
  }

  private look(resourceType: string, pattern: unknown): { text: string; compared: Compared[]; found: Compared[] } {
    const type = ResourceType.parse(resourceType);
    const compared = type.of(this.all).map((object) => ({ object, comparison: compare(pattern ?? {}, object, [], Objects.PARTIAL) }));
    const found = compared.filter(({ comparison }) => matches(comparison));
    for (const { comparison } of found) for (const { capture, value } of comparison.captured) capture._take(value);
    return { text: type.text, compared, found };
  }
}
