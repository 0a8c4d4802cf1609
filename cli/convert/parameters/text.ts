import type { Parameter, ParameterNames, ParameterValues } from './parameter';
import { isSameType, type ParameterType } from './parameter-type';
import { SAMPLES, type Form } from './samples';
import { literal as quoted } from '../../../codegen/emit-types';

/** A part of a text: as it is written, or a parameter. */
export type Part = string | Parameter;

/** A text of the files in which parameters may stand. */
export class Text {
  public constructor(public readonly parts: readonly Part[]) {}

  public get parameters(): readonly Parameter[] {
    return this.parts.filter((part): part is Parameter => typeof part !== 'string');
  }

  /** The parameter that is the whole text. */
  public get whole(): Parameter | undefined {
    const [only, another] = this.parts;
    return another === undefined && typeof only === 'object' ? only : undefined;
  }

  /** As code: `'shop'`, `props.team`, `` `${props.team}-rg` ``. */
  public print(names: ParameterNames): string {
    const { whole } = this;
    if (whole) return names.parameter(whole);
    if (this.parameters.length === 0) return quoted(this.parts.join(''));
    const printed = this.parts.map((part) => (typeof part === 'string' ? templatePart(part) : `\${${names.parameter(part)}}`));
    return `\`${printed.join('')}\``;
  }

  /** The value in a run; that of a whole parameter has the type of the parameter. */
  public value(run: ParameterValues): unknown {
    const { whole } = this;
    return whole ? run.valueOf(whole) : this.parts.map((part) => (typeof part === 'string' ? part : String(run.valueOf(part)))).join('');
  }

  public text(run: ParameterValues): string {
    return String(this.value(run));
  }
}

/** The code of a text at a place, converted to the type that the place needs. */
export function printAs(text: Text, place: ParameterType | undefined, names: ParameterNames): string {
  const printed = text.print(names);
  const type = text.whole?.type ?? { is: 'string' };
  if (!place || isSameType(type, place)) return printed;
  switch (place.is) {
    case 'number':
      return `Number(${printed})`;
    case 'boolean':
      return `${printed} === 'true'`;
    case 'string':
      return type.is === 'enum' ? printed : `String(${printed})`;
    case 'enum':
      return `${printed} as ${names.service(place.submodule, place.name)}`;
    default:
      return printed;
  }
}

/** The value of a text at a place, converted like the code of it. */
export function valueAs(text: Text, place: ParameterType | undefined, run: ParameterValues): unknown {
  const value = text.value(run);
  const type = text.whole?.type ?? { is: 'string' };
  if (!place || isSameType(type, place)) return value;
  switch (place.is) {
    case 'number':
      return Number(value);
    case 'boolean':
      return value === 'true';
    case 'string':
      return String(value);
    default:
      return value;
  }
}

/** Whether a text can be converted to the type of a place. */
export function fits(text: Text, place: ParameterType): boolean {
  if (place.is === 'list' || place.is === 'map') return text.whole !== undefined && isSameType(text.whole.type, place);
  const type = text.whole?.type ?? { is: 'string' };
  if (isSameType(type, place) || place.is === 'any') return true;
  return type.is === 'string' || type.is === 'any' ? true : place.is === 'string' && type.is !== 'list' && type.is !== 'map';
}

/**
 * Keeps the forms of parameters with which a function of texts does not throw.
 * @throws what the function throws when there are none
 */
export function settle<T>(texts: readonly Text[], make: (...values: string[]) => T): void {
  const parameters = [...new Set(texts.flatMap((text) => text.parameters))];
  const accepted = new Map<Parameter, Form[]>(parameters.map((parameter) => [parameter, []]));
  let fault: { readonly error: unknown } | undefined;
  for (const forms of combinations(parameters)) {
    try {
      for (const sample of parameters.length === 0 ? [0] : SAMPLES) {
        make(...texts.map((text) => text.text({ valueOf: (parameter) => parameter.sample(sample, forms.get(parameter)) })));
      }
    } catch (error) {
      fault ??= { error };
      continue;
    }
    for (const [parameter, form] of forms) accepted.get(parameter)!.push(form!);
  }
  if (fault && (parameters.length === 0 || [...accepted.values()].some((forms) => forms.length === 0))) throw fault.error;
  for (const [parameter, forms] of accepted) parameter.keepForms(parameter.forms.filter((form) => forms.includes(form)));
}

/** The first form of each parameter, and those with another form for one of them. */
function* combinations(parameters: readonly Parameter[]): Generator<Map<Parameter, Form | undefined>> {
  const first = new Map(parameters.map((parameter) => [parameter, parameter.forms[0]]));
  yield first;
  for (const parameter of parameters) {
    for (const form of parameter.forms.slice(1)) yield new Map(first).set(parameter, form);
  }
}

function templatePart(text: string): string {
  const escaped = quoted(text).slice(1, -1).replace(/\\'/g, '\'');
  return escaped.replace(/`/g, '\\`').replace(/\$\{/g, '\\${');
}
