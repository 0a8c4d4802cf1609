import type { Node } from 'web-tree-sitter';
import { named, unquoted } from './expressions';
import { readBlock } from './statements';
import type { GoField, GoFile, GoFunction, GoNamedType, GoStruct } from './syntax';
import { readTags } from './tags';
import { localName, readType } from './types';
import { omitUndefined } from '../../src/util/records';

/** The declarations of a file, each with the comment directly above it. */
export function readDeclarations(root: Node): GoFile {
  const file: Writable = { package: '', imports: {}, structs: [], namedTypes: [], functions: [], comments: [] };
  let comment: Comment | undefined;
  for (const node of root.namedChildren) {
    if (!node) continue;
    if (node.type === 'comment') {
      file.comments.push(...commentLines(node));
      comment = joined(comment, node);
      continue;
    }
    const above = comment && comment.lastRow === node.startPosition.row - 1 ? comment.lines : [];
    comment = undefined;
    if (node.type === 'package_clause') file.package = node.namedChild(0)!.text;
    if (node.type === 'import_declaration') Object.assign(file.imports, readImports(node));
    if (node.type === 'method_declaration' || node.type === 'function_declaration') file.functions.push(readFunction(node));
    if (node.type === 'type_declaration') {
      for (const spec of named(node)) {
        const type = spec.childForFieldName('type')!;
        const name = spec.childForFieldName('name')!.text;
        if (type.type === 'struct_type') file.structs.push({ name, comment: above, fields: readFields(type) });
        else file.namedTypes.push({ name, comment: above, type: readType(type) });
      }
    }
  }
  return file;
}

/** A file under construction. */
interface Writable {
  package: string;
  imports: Record<string, string>;
  structs: GoStruct[];
  namedTypes: GoNamedType[];
  functions: GoFunction[];
  comments: string[];
}

interface Comment {
  readonly lines: string[];
  readonly lastRow: number;
}

function joined(before: Comment | undefined, node: Node): Comment {
  const follows = before && before.lastRow === node.startPosition.row - 1;
  return { lines: [...(follows ? before.lines : []), ...commentLines(node)], lastRow: node.endPosition.row };
}

function commentLines({ text }: Node): string[] {
  return text.startsWith('//') ? [text.slice(2).trim()] : text.slice(2, -2).split('\n').map((line) => line.trim());
}

function readImports(node: Node): Record<string, string> {
  const specs = named(node).flatMap((child) => (child.type === 'import_spec_list' ? named(child) : [child]));
  return Object.fromEntries(specs.map((spec) => {
    const path = unquoted(spec.childForFieldName('path')!.text);
    return [spec.childForFieldName('name')?.text ?? path.slice(path.lastIndexOf('/') + 1), path];
  }));
}

function readFields(type: Node): GoField[] {
  const list = named(type).find((child) => child.type === 'field_declaration_list');
  const fields: GoField[] = [];
  let comment: Comment | undefined;
  for (const node of list?.namedChildren ?? []) {
    if (!node) continue;
    if (node.type === 'comment') {
      comment = joined(comment, node);
      continue;
    }
    const above = comment && comment.lastRow === node.startPosition.row - 1 ? comment.lines : [];
    comment = undefined;
    const goType = readType(node.childForFieldName('type')!);
    const tag = node.childForFieldName('tag');
    const names = node.childrenForFieldName('name').flatMap((name) => (name ? [name.text] : []));
    const tags = tag ? readTags(unquoted(tag.text)) : {};
    for (const name of names.length > 0 ? names : [embeddedName(goType)]) fields.push({ name, type: goType, tags, comment: above });
  }
  return fields;
}

function embeddedName(type: GoField['type']): string {
  return type.is === 'name' ? type.name : type.is === 'pointer' ? embeddedName(type.of) : '';
}

function readReceiver(receiver: Node): Pick<GoFunction, 'receiver' | 'receiverName'> {
  return omitUndefined({
    receiver: localName(readType(receiver.childForFieldName('type')!)),
    receiverName: receiver.childForFieldName('name')?.text,
  });
}

function readFunction(node: Node): GoFunction {
  const receiver = node.childForFieldName('receiver')?.namedChild(0);
  return {
    name: node.childForFieldName('name')!.text,
    ...(receiver ? readReceiver(receiver) : {}),
    parameters: named(node.childForFieldName('parameters')!).flatMap((parameter) => {
      const type = parameter.childForFieldName('type');
      if (!type) return [];
      return parameter.childrenForFieldName('name').flatMap((name) => (name ? [{ name: name.text, type: readType(type) }] : []));
    }),
    body: readBlock(node.childForFieldName('body')),
  };
}
