// Loads a file's imports of other files of the library when they are first used, not when the file loads.
import ts from 'typescript';

/**
 * TypeScript's output for `import { … } from './x'`: a variable with a name that is unique in the file. The variable of `import * as x`
 * may be shadowed, so it stays as it is. So do other packages: users of the library have loaded them.
 */
const IMPORT = /^const (\w+_\d+) = require\(("\.[^"]+")\);$/gm;

/**
 * The same code with lazy imports, each line in its place, so that the source map still fits.
 *
 * An import that is used while the file loads, such as a base class, is loaded then, as before. Files whose loading does something beyond
 * defining must not be imported by name; the library has none.
 */
export function lazyImports(code) {
  const names = new Set([...code.matchAll(IMPORT)].map(([, name]) => name));
  if (names.size === 0) return code;
  let lazy = code;
  // From the end on, so that the earlier positions stay valid.
  for (const use of usesOf(code, names).reverse()) {
    const call = isMadeWithNew(use) ? `(${use.text}())` : `${use.text}()`;
    lazy = lazy.slice(0, use.getStart()) + call + lazy.slice(use.getEnd());
  }
  return lazy.replace(IMPORT, (_, name, path) => `let ${name}_file; const ${name} = () => ${name}_file ??= require(${path});`);
}

/** The uses of the names, in the order of the code. */
function usesOf(code, names) {
  const file = ts.createSourceFile('file.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) && names.has(node.text) && !isName(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The `x` of `a.x` and of `const x = …`. */
const isName = (node) => (ts.isPropertyAccessExpression(node.parent) || ts.isVariableDeclaration(node.parent)) && node.parent.name === node;

/** `new x_1.Thing()`: without parentheses, `new x_1().Thing()` would construct the getter. */
function isMadeWithNew(node) {
  let access = node;
  while (ts.isPropertyAccessExpression(access.parent) && access.parent.expression === access) access = access.parent;
  return ts.isNewExpression(access.parent) && access.parent.expression === access;
}
