// Which interfaces users fill: those that constructors and methods of classes take, and all that are in them.
import ts from 'typescript';

/**
 * The interfaces that go in. One that only methods take and that comes out as well, such as a node of a graph, is read rather than filled.
 * @param paths the files whose classes users see
 * @returns {Set<ts.InterfaceDeclaration>}
 */
export function inputs(declarations, paths) {
  const classes = [...paths].flatMap((path) => classesIn(declarations.file(path).tree).map((node) => ({ path, members: publicMembers(node) })));
  const reached = (typesOf) => closure(declarations, classes.flatMap(({ path, members }) => members.flatMap(typesOf).map((type) => ({ path, type }))));
  const made = reached((member) => (ts.isConstructorDeclaration(member) ? typesOfParameters(member) : []));
  const taken = reached((member) => (ts.isMethodDeclaration(member) ? typesOfParameters(member) : []));
  const given = reached((member) => (ts.isConstructorDeclaration(member) ? [] : [member.type]));
  return new Set([...made, ...[...taken].filter((node) => !given.has(node))]);
}

/** The parameters of the constructors and methods of classes that users may call. */
export function parametersIn(tree) {
  return classesIn(tree).flatMap(publicMembers).filter(takesParameters).flatMap(({ parameters }) => [...parameters]);
}

const classesIn = (tree) => tree.statements.filter(ts.isClassDeclaration);
const takesParameters = (member) => ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member);
const typesOfParameters = ({ parameters }) => parameters.map(({ type }) => type);

/** Users write the body of an abstract method, so what it takes comes out. */
function publicMembers({ members }) {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.AbstractKeyword];
  return members.filter(({ modifiers }) => !modifiers?.some(({ kind }) => hidden.includes(kind)));
}

/** The interfaces that types mention, and those in their properties and bases. */
function closure(declarations, types) {
  const found = new Set();
  const visit = (path, type) => {
    for (const name of namesIn(type)) {
      const to = declarations.find(path, name);
      if (!to || !ts.isInterfaceDeclaration(to.node) || found.has(to.node)) continue;
      found.add(to.node);
      const { heritageClauses = [], members } = to.node;
      // A class of the library calls the methods of an interface, so what they take is no input.
      for (const part of [...heritageClauses, ...members.filter(ts.isPropertySignature).map((member) => member.type)]) visit(to.path, part);
    }
  };
  for (const { path, type } of types) visit(path, type);
  return found;
}

/** The names of types in a type. */
function namesIn(node) {
  const names = [];
  const visit = (part) => {
    if (ts.isTypeReferenceNode(part) && ts.isIdentifier(part.typeName)) names.push(part.typeName.text);
    if (ts.isExpressionWithTypeArguments(part) && ts.isIdentifier(part.expression)) names.push(part.expression.text);
    ts.forEachChild(part, visit);
  };
  if (node) visit(node);
  return names;
}
