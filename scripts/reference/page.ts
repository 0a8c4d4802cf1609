import type { ClassType, Docs, EnumType, InterfaceType, Method, Parameter, Property } from '@jsii/spec';
import type { ApiModel, Module } from './modules';
import { about, cell, description, namesIn, plainType, table, typeText, type LinkTo } from './text';

/** The sections of a page, in their order. */
export const SECTIONS = [
  { title: 'Constructs', member: 'constructs' },
  { title: 'Classes', member: 'classes' },
  { title: 'Interfaces', member: 'interfaces' },
  { title: 'Props', member: 'structs' },
  { title: 'Enums', member: 'enums' },
] as const;

/** Writes the page of a module: every type with its members. */
export class ModulePage {
  public constructor(private readonly model: ApiModel, private readonly module: Module, private readonly linkTo: LinkTo) {}

  public text(): string {
    const { importName, constructs, classes, structs, enums } = this.module;
    const example = [...constructs, ...classes, ...enums, ...structs][0]!.name;
    return [
      `# ${importName}\n`,
      `\`\`\`ts\nimport { ${example} } from '${importName}';\n\`\`\`\n`,
      'Every construct also has the members of the class of cdk8s or constructs that it extends, such as `node` and `toString()`.\n',
      ...SECTIONS.flatMap(({ title, member }) => {
        const types: readonly (ClassType | InterfaceType | EnumType)[] = this.module[member];
        return types.length === 0 ? [] : [`## ${title}\n`, ...types.map((type) => this.section(type))];
      }),
    ].join('\n');
  }

  private section(type: ClassType | InterfaceType | EnumType): string {
    const head = [`### ${type.name}\n`, description(type.docs)];
    if (type.kind === 'enum') {
      return [
        ...head,
        table(
          ['Member', ''],
          type.members.map(({ name, docs }) => [`\`${name}\``, about(docs)]),
        ),
      ].join('\n');
    }
    const { properties, methods } = this.model.membersOf(type);
    return [
      ...head,
      type.kind === 'class' ? this.constructorText(type) : '',
      this.propertyTable(
        'Property',
        properties.filter((property) => property.static !== true && property.protected !== true),
        type.kind === 'interface' && type.datatype,
      ),
      this.propertyTable(
        'Constant',
        properties.filter((property) => property.static === true),
      ),
      this.methodTable(
        'Method',
        methods.filter((method) => method.static !== true && method.protected !== true),
      ),
      this.methodTable(
        'Static method',
        methods.filter((method) => method.static === true),
      ),
    ]
      .filter((part) => part !== '')
      .join('\n');
  }

  private constructorText({ name, initializer, abstract }: ClassType): string {
    if (initializer === undefined || abstract === true) return '';
    const parameters = initializer.parameters ?? [];
    const props = parameters.filter(({ type }) => namesIn(type).some((fqn) => this.linkTo(fqn) !== undefined));
    const throws = about(withoutSummary(initializer.docs));
    return [
      `\`\`\`ts\nnew ${name}(${signature(parameters)})\n\`\`\`\n`,
      ...props.map((parameter) => `\`${parameter.name}\`: ${typeText(parameter.type, this.linkTo)}, ${about(parameter.docs)}\n`),
      ...(throws === '' ? [] : [`${throws}\n`]),
    ].join('\n');
  }

  /** The props of a construct have a column for the required ones; a property of a class may be undefined instead. */
  private propertyTable(title: string, properties: readonly Property[], isProps = false): string {
    const sorted = isProps
      ? [...properties].sort((one, other) => Number(one.optional ?? false) - Number(other.optional ?? false))
      : properties;
    return table(
      [title, 'Type', ...(isProps ? ['Required'] : []), ''],
      sorted.map(({ name, type, optional, docs }) => [
        `\`${name}\``,
        `${typeText(type, this.linkTo)}${optional && !isProps ? ' or `undefined`' : ''}`,
        ...(isProps ? [optional ? '' : 'yes'] : []),
        about(docs),
      ]),
    );
  }

  private methodTable(title: string, methods: readonly Method[]): string {
    return table(
      [title, 'Returns', ''],
      methods.map((method) => [
        `\`${cell(`${method.name}(${signature(method.parameters ?? [])})`)}\``,
        method.returns === undefined
          ? ''
          : `${typeText(method.returns.type, this.linkTo)}${method.returns.optional ? ' or `undefined`' : ''}`,
        [about(method.docs), ...(method.parameters ?? []).map(({ name, docs }) => `\`${name}\`: ${about(docs)}`)].join('<br>'),
      ]),
    );
  }
}

function signature(parameters: readonly Parameter[]): string {
  return parameters.map(({ name, type, optional, variadic }) => (
    `${variadic ? '...' : ''}${name}${optional ? '?' : ''}: ${plainType(type)}${variadic ? '[]' : ''}`
  )).join(', ');
}

function withoutSummary(docs: Docs | undefined): Docs {
  return { ...docs, summary: '' };
}
