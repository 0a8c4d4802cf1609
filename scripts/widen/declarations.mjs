// The declaration files of lib/, parsed, and where the names in them are declared.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The declaration files, each parsed when it is first asked for. */
export class Declarations {
  #files = new Map();

  /** A file's text, syntax tree, and declared and imported names; undefined where there is no such file. */
  file(path) {
    if (!this.#files.has(path)) this.#files.set(path, existsSync(path) ? read(path) : undefined);
    return this.#files.get(path);
  }

  /** A file and all files that its `export *` lead to. */
  exportedFrom(path, seen = new Set()) {
    if (!this.file(path) || seen.has(path)) return seen;
    seen.add(path);
    for (const module of this.file(path).stars) this.exportedFrom(target(path, module), seen);
    return seen;
  }

  /**
   * The enum or interface that a name in a file means, wherever it is declared.
   * @returns {{ path: string, node: ts.EnumDeclaration | ts.InterfaceDeclaration } | undefined}
   */
  find(path, name, seen = new Set()) {
    const file = this.file(path);
    if (!file || seen.has(path)) return undefined;
    seen.add(path);
    const node = file.declared.get(name);
    if (node) return { path, node };
    const imported = file.imports.get(name);
    if (imported) return this.find(target(path, imported.module), imported.name);
    for (const module of file.stars) {
      const found = this.find(target(path, module), name, seen);
      if (found) return found;
    }
    return undefined;
  }
}

function read(path) {
  const text = readFileSync(path, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const [declared, imports, stars] = [new Map(), new Map(), []];
  for (const statement of tree.statements) {
    if (ts.isEnumDeclaration(statement) || ts.isInterfaceDeclaration(statement)) declared.set(statement.name.text, statement);
    else if (ts.isExportDeclaration(statement) && !statement.exportClause) stars.push(statement.moduleSpecifier.text);
    else if (ts.isImportDeclaration(statement)) {
      for (const { name, propertyName } of statement.importClause?.namedBindings?.elements ?? []) {
        imports.set(name.text, { module: statement.moduleSpecifier.text, name: (propertyName ?? name).text });
      }
    }
  }
  return { path, text, tree, declared, imports, stars };
}

/** The file of a relative module; other packages have none here. */
function target(from, module) {
  if (!module.startsWith('.')) return '';
  const path = join(dirname(from), module);
  return existsSync(`${path}.d.ts`) ? `${path}.d.ts` : join(path, 'index.d.ts');
}
