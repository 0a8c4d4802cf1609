import { elementAt } from '../../util/elements';
import { CelExpression } from '../cel/cel-expression';

const PLACE = /\$\{([^{}]+)\}/g;
const AS_TEXT = /^string\((.+)\)$/;
const SECRET = /^secret\.(.+)$/;

/**
 * The expression of a named output of the catalog: a text in which `${status.fqdn}`, `${spec.azureName}` and `${secret.key1}` stand for
 * values, `${string(status.port)}` for a number.
 */
export function templateExpression(template: string): CelExpression {
  // Every second part of the split is what stands between the braces.
  const parts = template.split(PLACE).flatMap<string | CelExpression>((part, index) => (index % 2 === 1 ? [valueOf(part)] : part === '' ? [] : [part]));
  return CelExpression._together(parts);
}

function valueOf(path: string): CelExpression {
  const text = AS_TEXT.exec(path);
  if (text) return CelExpression.field(elementAt(text, 1)).asText();
  const secret = SECRET.exec(path);
  return secret ? CelExpression.secret(elementAt(secret, 1)) : CelExpression.field(path);
}
