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
 * Synthesized objects, for tests to say what they want of them.
 *
 * Where a type is asked for, give a kind (`StorageAccount`), a kind with its group or its API version
 * (`storage.azure.com/StorageAccount`, `apps/v1/Deployment`, `v1/Secret`), or an API version alone (`apps/v1`) for all kinds of
 * it. Where a pattern is asked for, a plain object is meant as `Match.objectLike`. Values of Secrets are compared, never shown.
 */
export class Template {
  /**
   * The objects of a chart. Charts inside it are charts of their own.
   * @param chart the chart
   * @throws what synthesis finds wrong with the app
   */
  public static fromChart(chart: Chart): Template {
    return Template.fromObjects(chart.toJson() as unknown[]);
  }

  /**
   * The objects of all charts of an app, in the order in which they are written.
   * @param app the app
   * @throws what synthesis finds wrong with the app
   */
  public static fromApp(app: App): Template {
    return Template.fromObjects(app.charts.flatMap((chart) => chart.toJson() as unknown[]));
  }

  /**
   * Objects from anywhere, e.g. `Yaml.load(file)`. Lists (`kind: List`) are taken apart.
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
   * There is at least one such object.
   * @param resourceType a kind, with group or API version or without, or an API version
   * @param pattern what the object is like; any will do by default
   * @throws an error with the object that comes closest and where it differs
   */
  public hasResource(resourceType: string, pattern?: any): void {
    const { text, compared, found } = this.look(resourceType, pattern);
    if (found.length > 0) return;
    const best = closest(compared);
    throw new Error(best ? closestReport(compared.length, text, best.object, best.comparison) : ResourceType.parse(resourceType).none(this.all));
  }

  /**
   * There is no such object.
   * @param resourceType a kind, with group or API version or without, or an API version
   * @param pattern what the object would be like; none at all is wanted by default
   * @throws an error with the objects that there are
   */
  public hasNoResource(resourceType: string, pattern?: any): void {
    const { text, found } = this.look(resourceType, pattern);
    if (found.length > 0) throw new Error(unwantedReport(text, found.map(({ object }) => object)));
  }

  /**
   * There are this many objects of the type.
   * @param resourceType a kind, with group or API version or without, or an API version
   * @param count how many
   * @throws an error with the objects that there are
   */
  public resourceCountIs(resourceType: string, count: number): void {
    const type = ResourceType.parse(resourceType);
    const objects = type.of(this.all);
    if (objects.length === count) return;
    const message = countReport(resourceType, count, objects);
    throw new Error(objects.length === 0 ? `${message} ${type.none(this.all)}` : message);
  }

  /**
   * The objects of the type that are like this; none where there are none.
   * @param resourceType a kind, with group or API version or without, or an API version
   * @param pattern what the objects are like; any will do by default
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
