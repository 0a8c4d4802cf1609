import { ApiObject, App, Chart, Lazy, Names, YamlOutputType } from 'cdk8s';
import { withoutTrailingSlashes } from '../azure/trailing-slashes';

/**
 * The folder into which cdk8s writes a chart. It is known only at synth: with dependencies between charts, cdk8s puts a number before the
 * names.
 * @param root folder of the source into which the app is synthesized
 * @param where name of the function or class, for errors
 * @returns a token
 */
export function appliedFolder(chart: Chart, root: string, where: string): string {
  const app = App.of(chart);
  chart.node.addValidation({ validate: () => folderProblems(app, chart, where) });
  // cdk8s takes a token wherever it takes a text, but types only the token.
  return Lazy.any({ produce: () => `${withoutTrailingSlashes(root)}/${folderName(app, chart)}` }) as unknown as string;
}

function folderName(app: App, chart: Chart): string {
  const { charts } = app;
  const isOrdered = charts.some((one) => one.node.dependencies.some((dependency) => Chart.isChart(dependency)));
  const label = Names.toDnsLabel(chart);
  return isOrdered ? `${String(charts.indexOf(chart)).padStart(4, '0')}-${label}` : label;
}

function folderProblems(app: App, chart: Chart, where: string): string[] {
  if (app.yamlOutputType === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) return sameFiles(chart, where);
  return [`${where}: Flux applies whole folders, and the app writes '${chart.node.path}' into one with others. Use new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE }).`];
}

/** cdk8s names files by kind and name: of two objects that differ only in namespace, the second would overwrite the file of the first. */
function sameFiles(chart: Chart, where: string): string[] {
  const files = new Map<string, ApiObject>();
  return chart.node.findAll().flatMap((construct) => {
    if (!ApiObject.isApiObject(construct) || Chart.of(construct) !== chart) return [];
    const object = construct as ApiObject;
    const file = `${object.kind}.${object.name}`;
    const before = files.get(file);
    files.set(file, object);
    return before ? [`${where}: '${before.node.path}' and '${object.node.path}' are both written to the file ${file}, and one would be lost. Put them into different charts, e.g. one for each team.`] : [];
  });
}
