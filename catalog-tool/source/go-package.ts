import type { GoFile, GoFunction, GoNamedType, GoStruct } from '../go/syntax';

/** A method, with the imports of its file. */
export interface Method extends GoFunction {
  readonly imports: Readonly<Record<string, string>>;
}

/** The files of one Go package, combined. */
export class GoPackage {
  public readonly structs = new Map<string, GoStruct>();
  public readonly namedTypes = new Map<string, GoNamedType>();
  public readonly comments: string[] = [];
  private readonly methods = new Map<string, Method>();

  public constructor(files: readonly GoFile[]) {
    for (const file of files) this.add(file);
  }

  public method(type: string, name: string): Method | undefined {
    return this.methods.get(`${type}.${name}`);
  }

  /** All functions of a name, whatever their receiver. */
  public methodsNamed(name: string): Method[] {
    return [...this.methods.values()].filter((method) => method.name === name);
  }

  /** The value of a marker of the package, e.g. `+groupName=storage.azure.com`. */
  public marker(name: string): string | undefined {
    const start = `+${name}=`;
    return this.comments.find((line) => line.startsWith(start))?.slice(start.length);
  }

  private add(file: GoFile): void {
    for (const struct of file.structs) this.structs.set(struct.name, struct);
    for (const type of file.namedTypes) this.namedTypes.set(type.name, type);
    for (const method of file.functions) this.methods.set(`${method.receiver ?? ''}.${method.name}`, { ...method, imports: file.imports });
    this.comments.push(...file.comments);
  }
}
