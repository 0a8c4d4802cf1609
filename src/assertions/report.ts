import { Yaml } from 'cdk8s';
import { Comparison, Difference, Path } from './comparison';
import { describe, pathText } from './describe';
import { isSecret, KubernetesObject, nameOf, withoutSecrets } from './kubernetes-object';
import { elementAt } from '../util/elements';
import { plural } from '../util/words';

const MOST_DIFFERENCES = 20;
const MOST_LINES = 150;

/** The differences of the closest object, and the object. */
export function closestReport(count: number, type: string, object: KubernetesObject, { differences }: Comparison): string {
  const first = count === 1 ? `The only ${type} is not as wanted` : `None of the ${count} ${type} is as wanted; the closest`;
  const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
  const lines = differences.slice(0, MOST_DIFFERENCES).map((difference) => differenceLines(difference, object));
  const more = differences.length > MOST_DIFFERENCES ? [`  … and ${differences.length - MOST_DIFFERENCES} more`] : [];
  const intro =
    count === 1 ? `${first}: ${title(object)} differs in ${places}.` : `${first} is ${title(object)}, which differs in ${places}.`;
  return [intro, ...lines, ...more, 'The object:', objectText(object)].join('\n\n');
}

/** The unexpected objects, of which there is one at least. */
export function unwantedReport(type: string, objects: readonly KubernetesObject[]): string {
  const names = objects.map(title).join(', ');
  return [
    `There should be no such ${type}, but there ${plural(objects.length, 'is', 'are')} ${objects.length}: ${names}. The first:`,
    objectText(elementAt(objects, 0)),
  ].join('\n\n');
}

/** The expected and the actual number of objects. */
export function countReport(type: string, want: number, objects: readonly KubernetesObject[]): string {
  const names = objects.length === 0 ? '' : `: ${objects.map(title).join(', ')}`;
  return `There should be ${want} ${type}, but there ${plural(objects.length, 'is', 'are')} ${objects.length}${names}.`;
}

function title(object: KubernetesObject): string {
  return `${object.kind} ${nameOf(object)} (${object.apiVersion})`;
}

function differenceLines({ path, want, got, remark }: Difference, object: KubernetesObject): string {
  const hidden = isSecret(object, path[0]);
  const value = got ?? describe(valueAt(withoutSecrets(object), path));
  return [
    `  ${pathText(path)}${remark === undefined ? '' : `   (${remark})`}`,
    `    want: ${hidden ? '(not shown: a Secret)' : want}`,
    `    got:  ${value}`,
  ].join('\n');
}

function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined),
    object,
  );
}

function objectText(object: KubernetesObject): string {
  const lines = Yaml.stringify(withoutSecrets(object)).trimEnd().split('\n');
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} lines more`] : lines;
  return shown.map((line) => `  ${line}`).join('\n');
}
