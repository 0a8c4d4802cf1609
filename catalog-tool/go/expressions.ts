import type { Node } from 'web-tree-sitter';
import type { GoElement, GoExpression } from './syntax';
import { readType } from './types';

export function readExpression(node: Node): GoExpression {
  switch (node.type) {
    case 'identifier':
    case 'field_identifier':
    case 'nil':
      return { is: 'name', name: node.text };
    case 'selector_expression':
      return { is: 'member', of: operand(node), name: node.childForFieldName('field')!.text };
    case 'interpreted_string_literal':
    case 'raw_string_literal':
      return { is: 'string', value: unquoted(node.text) };
    case 'call_expression':
    case 'type_conversion_expression':
      return readCall(node);
    case 'unary_expression':
      return { is: 'wrapped', operator: node.childForFieldName('operator')?.text ?? '', of: operand(node) };
    case 'parenthesized_expression':
    case 'variadic_argument':
      return { is: 'wrapped', operator: '', of: readExpression(node.namedChild(0)!) };
    case 'type_assertion_expression':
      return { is: 'wrapped', operator: '.()', of: operand(node), type: readType(node.childForFieldName('type')!) };
    case 'index_expression':
      return { is: 'index', of: operand(node), at: readExpression(node.childForFieldName('index')!) };
    case 'binary_expression':
      return {
        is: 'binary',
        operator: node.childForFieldName('operator')!.text,
        left: readExpression(node.childForFieldName('left')!),
        right: readExpression(node.childForFieldName('right')!),
      };
    case 'composite_literal':
      return { is: 'literal', type: readType(node.childForFieldName('type')!), elements: readElements(node.childForFieldName('body')!) };
    default:
      return { is: 'other', text: node.text };
  }
}

/** The expressions of a list (`a, b := f()`), or a single one. */
export function readExpressions(node: Node | null): GoExpression[] {
  if (!node) return [];
  return node.type === 'expression_list' ? named(node).map(readExpression) : [readExpression(node)];
}

export function named(node: Node): Node[] {
  return node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment');
}

/** The value of a Go string literal. */
export function unquoted(text: string): string {
  if (text.startsWith('`')) return text.slice(1, -1);
  return JSON.parse(text) as string;
}

/** The names of a member chain, outermost first: `result.Properties.Sku` is `['result', 'Properties', 'Sku']`. */
export function memberPath(expression: GoExpression): string[] | undefined {
  if (expression.is === 'name') return [expression.name];
  if (expression.is !== 'member') return undefined;
  const start = memberPath(expression.of);
  return start && [...start, expression.name];
}

/** The expression without `*`, `&`, parentheses and type assertions. */
export function unwrapped(expression: GoExpression): GoExpression {
  return expression.is === 'wrapped' ? unwrapped(expression.of) : expression;
}

function readCall(node: Node): GoExpression {
  const callee = node.childForFieldName('function') ?? node.childForFieldName('type');
  const list = node.childForFieldName('arguments') ?? node.childForFieldName('operand');
  return {
    is: 'call',
    callee: callee ? readExpression(callee) : { is: 'other', text: node.text },
    arguments: list ? (list.type === 'argument_list' ? named(list).map(readExpression) : [readExpression(list)]) : [],
  };
}

function readElements(body: Node): GoElement[] {
  return named(body).map((element) => {
    if (element.type !== 'keyed_element') return { value: readExpression(inner(element)) };
    const part = (field: 'key' | 'value'): GoExpression => readExpression(inner(element.childForFieldName(field)!));
    return { key: part('key'), value: part('value') };
  });
}

function inner(node: Node): Node {
  return node.type === 'literal_element' ? node.namedChild(0)! : node;
}

function operand(node: Node): GoExpression {
  return readExpression(node.childForFieldName('operand')!);
}
