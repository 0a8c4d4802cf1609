import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Assembly, ClassType, EnumType, InterfaceType, Method, Property, Type } from '@jsii/spec';

/** A hand-written module: the root, or a submodule that has a folder of its own in `src/`. */
export interface Module {
  /** `core` for the root. */
  readonly name: string;
  /** The module that users import: `cdk8s-aso/platform`. */
  readonly importName: string;
  readonly constructs: readonly ClassType[];
  readonly classes: readonly ClassType[];
  readonly interfaces: readonly InterfaceType[];
  readonly structs: readonly InterfaceType[];
  readonly enums: readonly EnumType[];
}

/** The members of a type, inherited ones included. */
export interface Members {
  readonly properties: readonly Property[];
  readonly methods: readonly Method[];
}

/** Name of the root, which has no submodule, among the modules. */
export const ROOT_MODULE = 'core';

const NAME = 'cdk8s-aso';

/** The jsii assembly of the package. */
export class ApiModel {
  private readonly types: Readonly<Record<string, Type>>;

  /** @param root directory of the package, compiled */
  public constructor(private readonly root: string) {
    this.types = assemblyIn(root).types ?? {};
  }

  /** The hand-written modules, the root first. */
  public modules(): Module[] {
    const names = new Set(Object.values(this.types).map(({ namespace }) => namespace));
    const handWritten = [...names].filter((name): name is string => name !== undefined && this.isHandWritten(name)).sort();
    return [undefined, ...handWritten].map((name) => this.moduleOf(name));
  }

  /** The module or service that has a type; undefined for a type of another package. */
  public ownerOf(fqn: string): { readonly submodule: string; readonly handWritten: boolean } | undefined {
    const type = this.types[fqn];
    if (type === undefined) return undefined;
    const { namespace } = type;
    return { submodule: namespace ?? ROOT_MODULE, handWritten: namespace === undefined || this.isHandWritten(namespace) };
  }

  /** Members of a type and of those of this package that it extends, by name. Members of `Construct` and `ApiObject` are not among them. */
  public membersOf(type: ClassType | InterfaceType): Members {
    const line = [type, ...this.ancestorsOf(type)];
    return {
      properties: nearest(line.flatMap(({ properties }) => properties ?? [])),
      methods: nearest(line.flatMap(({ methods }) => methods ?? [])),
    };
  }

  private ancestorsOf(type: ClassType | InterfaceType): (ClassType | InterfaceType)[] {
    const names = type.kind === 'class' ? [type.base] : type.interfaces ?? [];
    return names.flatMap((name) => {
      const found = name === undefined ? undefined : this.types[name] as ClassType | InterfaceType | undefined;
      return found === undefined ? [] : [found, ...this.ancestorsOf(found)];
    });
  }

  private moduleOf(submodule: string | undefined): Module {
    const types = Object.values(this.types).filter(({ namespace }) => namespace === submodule)
      .sort((one, other) => one.name.localeCompare(other.name));
    const classes = types.filter((type): type is ClassType => type.kind === 'class');
    const interfaces = types.filter((type): type is InterfaceType => type.kind === 'interface');
    return {
      name: submodule ?? ROOT_MODULE,
      importName: submodule === undefined ? NAME : `${NAME}/${submodule}`,
      constructs: classes.filter((type) => this.isConstruct(type)),
      classes: classes.filter((type) => !this.isConstruct(type)),
      interfaces: interfaces.filter(({ datatype }) => datatype !== true),
      structs: interfaces.filter(({ datatype }) => datatype === true),
      enums: types.filter((type): type is EnumType => type.kind === 'enum'),
    };
  }

  /** A class of the package that extends a class of another one is a construct: there is no other reason to. */
  private isConstruct(type: ClassType): boolean {
    const root = [type, ...this.ancestorsOf(type)].at(-1) as ClassType;
    return root.base !== undefined;
  }

  private isHandWritten(submodule: string): boolean {
    return existsSync(join(this.root, 'src', submodule, 'index.ts'));
  }
}

function assemblyIn(directory: string): Assembly {
  const assembly = JSON.parse(readFileSync(join(directory, '.jsii'), 'utf8')) as Assembly & { filename?: string };
  if (assembly.filename === undefined) return assembly;
  return JSON.parse(gunzipSync(readFileSync(join(directory, assembly.filename))).toString('utf8')) as Assembly;
}

/** The first of each name: a member that a type declares again replaces the inherited one. */
function nearest<T extends { readonly name: string }>(members: readonly T[]): T[] {
  return [...new Map([...members].reverse().map((member) => [member.name, member])).values()].reverse();
}
