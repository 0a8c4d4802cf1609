import { ANY, isSameType, STRING, type ParameterType } from './parameter-type';
import { formsOf, type Form } from './samples';

/** The identifiers of the code of a text. */
export interface ParameterNames {
  /** A prop of the chart, or the variable that has it. */
  parameter(parameter: Parameter): string;
  /** An identifier of a service: `storage.StorageAccount`. */
  service(submodule: string, name: string): string;
}

/** Values of parameters. */
export interface ParameterValues {
  valueOf(parameter: Parameter): unknown;
}

/** A variable of the files: a prop of the charts that have it. */
export class Parameter {
  /** The variable as the files write it, each form once. */
  public readonly written = new Set<string>();
  /** The types of the places that it is the whole value of. */
  public readonly places: ParameterType[] = [];
  /** Values with which texts that it is a part of are members of an enum. */
  public parts: readonly string[] = [];
  /** The defaults that the files give it. */
  public readonly defaults = new Set<string>();
  /** The value that the files give it, as Flux would fill it in. */
  public value?: string | undefined;
  private found?: ParameterType;
  private accepted?: readonly Form[];

  /**
   * @param name of the prop
   * @param environment the variable of the environment that has its value
   * @param index among the parameters
   */
  public constructor(public name: string, public readonly environment: string, public readonly index: number) {}

  public get type(): ParameterType {
    return (this.found ??= typeOf(this));
  }

  /** The forms of values that all places accept, as far as that is known. */
  public get forms(): readonly Form[] {
    return (this.accepted ??= formsOf(this));
  }

  public keepForms(forms: readonly Form[]): void {
    this.accepted = forms;
  }

  /** One of the values that stand for it while the code is compared with the files. */
  public sample(sample: number, form: Form | undefined = this.forms[0]): unknown {
    return form?.(this.index, sample);
  }

  /** The value where nothing sets it; undefined where the files have none, or several. */
  public get default(): string | undefined {
    const [first, second] = this.defaults;
    return second === undefined ? first : undefined;
  }
}

/** Where all places have one type it is that; otherwise a text, which each place converts. */
function typeOf({ places, default: otherwise, value }: Parameter): ParameterType {
  const given = [otherwise, value].filter((text) => text !== undefined);
  const strict = places.filter(({ is }) => is !== 'any');
  const enumeration = strict.find(({ is }) => is === 'enum');
  // A member of an enum is a text as well.
  const distinct = strict.filter(({ is }) => !(enumeration && is === 'string'));
  const [first, ...others] = distinct;
  if (first) return others.every((other) => isSameType(first, other)) && given.every((text) => isOfType(text, first)) ? first : STRING;
  if (places.length === 0) return STRING;
  const [type] = [...new Set(given.map((text) => typeof scalarOf(text)))];
  return given.length === 0 ? ANY : { is: type as 'string' | 'number' | 'boolean' };
}

function isOfType(text: string, type: ParameterType): boolean {
  switch (type.is) {
    case 'enum':
      return type.members.some(({ value }) => value === text);
    case 'list':
    case 'map':
      return false;
    default:
      return type.is === 'string' || typeof scalarOf(text) === type.is;
  }
}

/** The value that a plain scalar of the text has, as far as JSON has it. */
export function scalarOf(text: string): string | number | boolean {
  return /^(?:true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?)$/.test(text) ? (JSON.parse(text) as number | boolean) : text;
}

/** The TypeScript of a type. */
export function parameterTypeText(type: ParameterType, names: Pick<ParameterNames, 'service'>): string {
  switch (type.is) {
    case 'enum':
      return names.service(type.submodule, type.name);
    case 'list':
      return type.of.is === 'any' ? 'any[]' : `${parameterTypeText(type.of, names)}[]`;
    case 'map':
      return `Record<string, ${parameterTypeText(type.of, names)}>`;
    case 'any':
      return 'string | number | boolean';
    default:
      return type.is;
  }
}
