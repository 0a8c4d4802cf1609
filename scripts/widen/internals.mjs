// Members with the tag `@internal`, which the library calls across its files and users neither see nor need.
import ts from 'typescript';

/**
 * The text of a declaration file without internal members.
 * Abstract members and what implements them stay: without them a class that users must not extend could be extended.
 * A class that would lose its last member of its own gets a private one, so that the compiler still tells it from other classes.
 * @param tree the file, parsed
 * @param abstract names of abstract internal members of all files
 */
export function withoutInternals(tree, abstract) {
  const edits = classesIn(tree).flatMap(({ members }) => {
    const removed = members.filter((member) => isInternal(member) && !abstract.has(member.name?.getText()));
    const [first, ...others] = removed.filter((member) => !isStatic(member));
    const replaced = first && !members.some((member) => isHidden(member) || (isInternal(member) && abstract.has(member.name?.getText())));
    const gone = replaced ? [...removed.filter(isStatic), ...others] : removed;
    return [
      ...gone.map((member) => ({ from: member.getFullStart(), to: member.end, text: '' })),
      ...(replaced ? [{ from: first.getStart(undefined, true), to: first.end, text: 'private readonly internals;' }] : []),
    ];
  });
  return edits.sort((a, b) => b.from - a.from).reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), tree.text);
}

/** The names of the abstract internal members of a file. */
export function abstractInternals(tree) {
  return classesIn(tree).flatMap(({ members }) => members.filter((member) => isInternal(member) && has(member, ts.SyntaxKind.AbstractKeyword)))
    .map(({ name }) => name.getText());
}

const classesIn = (tree) => tree.statements.filter(ts.isClassDeclaration);
const isInternal = (member) => ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
const has = ({ modifiers }, ...kinds) => modifiers?.some(({ kind }) => kinds.includes(kind)) ?? false;
const isStatic = (member) => has(member, ts.SyntaxKind.StaticKeyword);
const isHidden = (member) => !isStatic(member) && !ts.isConstructorDeclaration(member)
  && has(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword);
