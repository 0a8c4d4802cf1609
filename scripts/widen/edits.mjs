// The changes of one declaration file.
import ts from 'typescript';
import { parametersIn } from './inputs.mjs';

/** Properties that take a region of Azure. */
const REGIONS = new Set(['location', 'locationName']);

/**
 * The text of a file with wider types, or undefined where nothing changes.
 * @param inputs the interfaces that users fill
 * @param regions the module with `RegionName`, relative to the file
 */
export function widened(declarations, path, inputs, regions) {
  const { text, tree } = declarations.file(path);
  const edits = [];
  const isEnum = (name) => {
    const found = declarations.find(path, name);
    return found !== undefined && ts.isEnumDeclaration(found.node);
  };
  const widen = (node) => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && isEnum(node.typeName.text)) {
      edits.push({ from: node.getStart(), to: node.end, text: `\`\${${node.typeName.text}}\`` });
    } else if (ts.isArrayTypeNode(node) || ts.isUnionTypeNode(node) || ts.isTypeLiteralNode(node)) ts.forEachChild(node, widenInside);
  };
  const widenInside = (node) => (ts.isIndexSignatureDeclaration(node) ? widen(node.type) : widen(node));
  let region = false;
  for (const { node, name } of valuesIn(tree, inputs)) {
    if (REGIONS.has(name) && node.kind === ts.SyntaxKind.StringKeyword) {
      region = true;
      edits.push({ from: node.getStart(), to: node.end, text: 'RegionName' });
    } else widen(node);
  }
  if (edits.length === 0) return undefined;
  const changed = edits.sort((a, b) => b.from - a.from)
    .reduce((before, { from, to, text: type }) => before.slice(0, from) + type + before.slice(to), text);
  return region ? `import type { RegionName } from '${regions}';\n${changed}` : changed;
}

/** The types of the properties of inputs and of parameters, each with its name. */
function valuesIn(tree, inputs) {
  const properties = tree.statements.filter((node) => ts.isInterfaceDeclaration(node) && inputs.has(node))
    .flatMap(({ members }) => members.filter(ts.isPropertySignature));
  return [...properties, ...parametersIn(tree)].flatMap(({ type, name }) => (type ? [{ node: type, name: name.text }] : []));
}
