import type { IConstruct } from 'constructs';
import { elementAt } from '../../util/elements';
import type { CelExpression } from '../cel/cel-expression';
import { formatValue } from '../schema/conversion';

const PLACE = /\$?\{(\d+)\}/g;

/** A resource that exports what it is asked for. */
interface Exporter extends IConstruct {
  _exportText(store: 'ConfigMap' | 'Secret', parts: readonly (string | CelExpression)[]): unknown;
}

/** An `Output` or a `SecretOutput`: their classes import this file. */
export interface ExportedValue {
  readonly producer: IConstruct;
  readonly outputName: string;
  readonly _expression: CelExpression | undefined;
}

/**
 * A text with values of one resource, as an export of that resource.
 * @throws when there is no such export, with the reason
 */
export function formatted(method: string, store: 'ConfigMap' | 'Secret', template: string, values: readonly ExportedValue[]): unknown {
  const fail = (problem: string): never => {
    throw new Error(`${method}: ${problem}`);
  };
  if (typeof template !== 'string') fail(`the template is ${formatValue(template)}, but has to be a text. Write ${method}('https://\${0}/', output).`);
  if (values.length === 0) fail(`there is no output. Give at least one: ${method}('https://\${0}/', output).`);
  values.forEach((value, index) => {
    const problem = valueProblem(value, index, store);
    if (problem !== undefined) fail(problem);
  });
  const producers = new Set(values.map(({ producer }) => producer));
  if (producers.size > 1) {
    fail(`the values are of ${producers.size} resources (${[...producers].map(({ node }) => `'${node.path}'`).join(', ')}), but an expression sees the one resource that exports it. Give a container each value as a variable of its own, and put them together there: 'https://$(FIRST)/$(SECOND)'.`);
  }
  const problem = placeProblem(template, values.length);
  if (problem !== undefined) fail(problem);
  return (elementAt(values, 0).producer as Exporter)._exportText(store, partsOf(template, values));
}

function valueProblem(value: ExportedValue, index: number, store: 'ConfigMap' | 'Secret'): string | undefined {
  const isSecret = typeof value === 'object' && value !== null && 'secretName' in value;
  if (typeof value !== 'object' || value === null || !isExporter((value as Partial<ExportedValue>).producer)) {
    return `value ${index} is ${isSecret ? 'a key of a Secret' : typeof value === 'object' && value !== null && 'configMapName' in value ? 'a key of a ConfigMap' : formatValue(value)}, but has to be an output of a resource (x.outputs.y). Write texts that are known into the template.`;
  }
  if (isSecret && store === 'ConfigMap') {
    return `value ${index} is the secret '${value.outputName}', which a ConfigMap cannot have. Write SecretOutput.format.`;
  }
  if (value._expression === undefined) {
    return `value ${index}: the operator finds '${value.outputName}' of '${value.producer.node.path}' by code of its own, so no expression has it. Give a container the value as a variable, and put the text together there.`;
  }
  return undefined;
}

function placeProblem(template: string, count: number): string | undefined {
  const places = [...template.matchAll(PLACE)].map((match) => Number(match[1]));
  const tooHigh = places.find((place) => place >= count);
  if (tooHigh !== undefined) return `the template has a place \${${tooHigh}}, but there are ${count} values. The first one is \${0}.`;
  const unused = Array.from({ length: count }, (_, index) => index).find((index) => !places.includes(index));
  if (unused === undefined) return undefined;
  return `value ${unused} has no place in the template '${template}'. Write \${${unused}} for it; in a text between backquotes, JavaScript takes that for itself, so use single quotes, or write {${unused}}.`;
}

function partsOf(template: string, values: readonly ExportedValue[]): (string | CelExpression)[] {
  // Every second part of the split is the number of a place.
  return template.split(PLACE).flatMap<string | CelExpression>((part, index) => {
    if (index % 2 === 1) return [elementAt(values, Number(part))._expression!];
    return part === '' ? [] : [part];
  });
}

function isExporter(producer: IConstruct | undefined): producer is Exporter {
  return typeof (producer as Partial<Exporter> | undefined)?._exportText === 'function';
}
