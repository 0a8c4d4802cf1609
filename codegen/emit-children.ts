import { hasCreator, isNamedById } from './children';
import { comment } from './comment';
import { structText } from './emit-types';
import type { ChildModel, KindModel } from './model';
import { optionsOf } from './names';
import { phrase, wordsOf, withArticle } from './words';

/** The methods of an owner that create its children, and the properties that have its singletons. */
export function childrenText(children: readonly ChildModel[]): string {
  return children.map((child) => `${child.property === undefined ? '' : propertyText(child, child.property)}${methodText(child)}`).join('');
}

/**
 * The props of a kind. Those of a child are in two interfaces: the options that the owner's method takes, and the same with the owner.
 * @param hasMethods whether owners have methods
 */
export function propsText(kind: KindModel, about: string[], hasMethods: boolean): string {
  const { spec, className } = kind;
  if (!hasMethods || !hasCreator(kind)) return structText(spec, kind.owner, about, 'AzureResourceProps');
  if (spec.properties.some(({ propName }) => CONSTRUCTOR_PARAMETERS.has(propName))) {
    const withoutOwner = spec.properties.filter(({ facts }) => facts.role !== 'owner');
    return [
      structText({ ...spec, name: optionsOf(className), properties: withoutOwner }, kind.owner, withoutOwnerText(about), 'AzureResourceProps'),
      structText(spec, kind.owner, about, 'AzureResourceProps'),
    ].join('\n');
  }
  const [owner, others] = [true, false].map((wanted) => spec.properties.filter(({ facts }) => (facts.role === 'owner') === wanted));
  const options = { ...spec, name: optionsOf(className), properties: others! };
  return [
    structText(options, kind.owner, withoutOwnerText(about), 'AzureResourceProps'),
    structText({ ...spec, properties: owner! }, kind.owner, about.slice(0, 1), options.name),
  ].join('\n');
}

/** In Python, props are arguments of the constructor; jsii renames `scope` and `id` for a prop of that name only if it is not inherited. */
const CONSTRUCTOR_PARAMETERS: ReadonlySet<string> = new Set(['scope', 'id']);

function withoutOwnerText([first = '', ...others]: readonly string[]): string[] {
  return [`${first.replace(/: its spec.*/, '')} without its owner.`, ...others];
}

/** Whether a child can be created without any option. */
function needsNothing({ spec }: KindModel): boolean {
  return spec.properties.every(({ facts, byScope }) => facts.required !== true || byScope || facts.role === 'owner');
}

function methodText({ kind, name, through }: ChildModel): string {
  const { className } = kind;

  const optional = needsNothing(kind);
  const at = through ? ` in its ${phrase(through.name)}, which is created if there is none` : '';
  const make = through
    ? `this.${through.property}.add${name}(id, options)`
    : `new ${className}(...this._child('${kebab(name)}', id, options))`;
  return [
    '\n',
    comment(
      [`Creates ${withArticle(phrase(name))}${at}.`],
      [
        `@param id ${isNamedById(kind) ? 'its name in Azure, without an \`azureName\`; unique among its siblings' : 'part of the id of the construct'}`,
        '@param options the spec without the owner, metadata, policy and credential',
      ],
      '  ',
    ),
    `  public add${name}(id: string, options: ${optionsOf(className)}${optional ? ' = {}' : ''}): ${className} {\n    return ${make};\n  }\n`,
  ].join('');
}

function propertyText({ kind: { className }, name }: ChildModel, property: string): string {
  return [
    '\n',
    comment([`The ${phrase(name)}, of which Azure has one: that of this app, created if there is none.`], [], '  '),
    `  public get ${property}(): ${className} {\n`,
    `    return (this._childOf('${className}') ?? this.add${name}('${kebab(name)}')) as ${className};\n  }\n`,
  ].join('');
}

function kebab(name: string): string {
  return wordsOf(name).join('-').toLowerCase();
}
