import type { Node } from 'web-tree-sitter';
import { named, readExpression, readExpressions } from './expressions';
import type { GoExpression, GoStatement } from './syntax';
import { readType } from './types';

export function readBlock(node: Node | null): GoStatement[] {
  if (!node) return [];
  return named(node).flatMap((child) => (child.type === 'statement_list' ? named(child) : [child])).flatMap(readStatement);
}

function readStatement(node: Node): GoStatement[] {
  switch (node.type) {
    case 'short_var_declaration':
    case 'assignment_statement':
      return [{ is: 'assign', targets: expressionsOf(node, 'left'), values: expressionsOf(node, 'right') }];
    case 'if_statement':
      return readIf(node);
    case 'for_statement':
      return readFor(node);
    case 'return_statement':
      return [{ is: 'return', values: named(node).flatMap((child) => readExpressions(child)) }];
    case 'expression_statement':
      return [{ is: 'call', call: readExpression(node.namedChild(0)!) }];
    case 'var_declaration':
      return named(node).flatMap(readVariable);
    case 'block':
      return readBlock(node);
    default:
      return [{ is: 'other', text: node.text }];
  }
}

function expressionsOf(node: Node, field: string): GoExpression[] {
  return readExpressions(node.childForFieldName(field));
}

function readIf(node: Node): GoStatement[] {
  const initializer = node.childForFieldName('initializer');
  const alternative = node.childForFieldName('alternative');
  const branch: GoStatement = {
    is: 'if',
    condition: readExpression(node.childForFieldName('condition')!),
    then: readBlock(node.childForFieldName('consequence')),
    otherwise: alternative?.type === 'if_statement' ? readStatement(alternative) : readBlock(alternative),
  };
  return [...(initializer ? readStatement(initializer) : []), branch];
}

function readFor(node: Node): GoStatement[] {
  const clause = named(node).find((child) => child.type === 'range_clause');
  const body = readBlock(node.childForFieldName('body'));
  if (!clause) return body;
  return [{ is: 'range', variables: expressionsOf(clause, 'left'), of: readExpression(clause.childForFieldName('right')!), body }];
}

function readVariable(spec: Node): GoStatement[] {
  const name = spec.childForFieldName('name')!.text;
  const type = spec.childForFieldName('type');
  const values = readExpressions(spec.childForFieldName('value'));
  const declared: GoStatement = { is: 'variable', name, ...(type ? { type: readType(type) } : {}) };
  return values.length === 0 ? [declared] : [declared, { is: 'assign', targets: [{ is: 'name', name }], values }];
}
