import { parameterTypeText, scalarOf, type Parameter, type ParameterNames } from './parameter';
import type { ParameterType } from './parameter-type';
import { literal as quoted } from '../../../codegen/emit-types';
import { docComment } from '../code-comment';
import type { CodeNames } from '../expression';
import { isReserved } from '../names';

/** The interface of a chart's props: those without a default come first. */
export function propsInterface(name: string, parameters: readonly Parameter[], names: CodeNames): string[] {
  const [optional, required] = [parameters.filter(hasDefault), parameters.filter((parameter) => !hasDefault(parameter))];
  return [
    `export interface ${name} extends ${names.cdk8s('ChartProps')} {`,
    ...[...required, ...optional].flatMap((parameter) => [
      `  ${docComment(about(parameter))}`,
      `  readonly ${parameter.name}${hasDefault(parameter) ? '?' : ''}: ${parameterTypeText(parameter.type, names)};`,
    ]),
    '}',
    '',
  ];
}

function about({ written, default: otherwise, defaults }: Parameter): string {
  if ([...written].some((text) => text.startsWith('ENC['))) return 'A value that SOPS has encrypted in the files.';
  const forms = [...written].map((text) => `\`${text.replace(/`/g, '\'')}\``).join(', ');
  // One form shows its default itself.
  if (defaults.size > 1) return `${forms} in the files, with several defaults: none is taken.`;
  if (otherwise === undefined || (written.size === 1 && otherwise !== '' && forms.includes(otherwise))) return `${forms} in the files.`;
  return `${forms} in the files; ${otherwise === '' ? 'empty' : `\`${otherwise.replace(/`/g, '\'')}\``} by default.`;
}

/** Whether a prop can be left out. */
export function hasDefault(parameter: Parameter): boolean {
  return parameter.default !== undefined && valueText(parameter.default, parameter.type, undefined) !== undefined;
}

/** The names of props in the constructor: those with a default are variables of their own. */
export function parameterVariables(parameters: readonly Parameter[], taken: ReadonlySet<string>): Map<Parameter, string> {
  const used = new Set(taken);
  return new Map(parameters.filter(hasDefault).map((parameter) => {
    let name = isReserved(parameter.name) || used.has(parameter.name) ? `${parameter.name}Value` : parameter.name;
    while (used.has(name)) name = `${name}_`;
    used.add(name);
    return [parameter, name];
  }));
}

/** `const size = props.size ?? 3;` */
export function defaultLines(variables: ReadonlyMap<Parameter, string>, names: CodeNames): string[] {
  return Array.from(variables, ([parameter, name]) => `const ${name} = ${withDefault(parameter, names)};`);
}

/** `props.size ?? 3` */
export function withDefault(parameter: Parameter, names: CodeNames): string {
  return `props.${parameter.name} ?? ${valueText(parameter.default!, parameter.type, names)!}`;
}

/** A text of the files as a value of a type; undefined when it is none. */
export function valueText(text: string, type: ParameterType, names: Pick<ParameterNames, 'service'> | undefined): string | undefined {
  switch (type.is) {
    case 'enum': {
      const member = type.members.find(({ value }) => value === text);
      return member && (names ? `${names.service(type.submodule, type.name)}.${member.name}` : member.name);
    }
    case 'list':
    case 'map':
      return undefined;
    case 'string':
      return quoted(text);
    default: {
      const value = scalarOf(text);
      return type.is === 'any' || typeof value === type.is ? printed(value) : undefined;
    }
  }
}

function printed(value: string | number | boolean): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}
