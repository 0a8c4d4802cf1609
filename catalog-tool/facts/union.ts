import { elementAt } from '../../src/util/elements';
import { memberPath, unwrapped } from '../go/expressions';
import type { GoExpression, GoStatement } from '../go/syntax';
import type { GoPackage } from '../source/go-package';

/** The mapping between a union in ARM and its alternatives. */
export interface Union {
  /** Name of the property that selects the alternative. */
  readonly discriminator?: string;
  /** Go fields of the alternatives; the first one that is set is used. */
  readonly order: readonly string[];
  /** Go field → the discriminator's value. */
  readonly when: ReadonlyMap<string, string>;
}

/** The union in `MarshalJSON` and `UnmarshalJSON` of ARM's type; undefined if the type is no union. */
export function unionOf(armType: string, arm: GoPackage): Union | undefined {
  const reading = arm.method(armType, 'UnmarshalJSON');
  if (!reading) return undefined;
  return { ...cases(reading.body), order: marshalled(arm.method(armType, 'MarshalJSON')?.body ?? []) };
}

/** Reads `discriminator := rawJson["kind"]`, and `if discriminator == "ReadWrite" { database.ReadWrite = … }`. */
function cases(body: readonly GoStatement[]): Pick<Union, 'discriminator' | 'when'> {
  const when = new Map<string, string>();
  let discriminator: string | undefined;
  for (const statement of body) {
    if (statement.is === 'assign' && statement.values[0]?.is === 'index') discriminator ??= text(statement.values[0].at);
    if (statement.is !== 'if' || statement.condition.is !== 'binary' || statement.condition.operator !== '==') continue;
    const value = text(statement.condition.right);
    const assigned = statement.then.find((inner) => inner.is === 'assign');
    const field = assigned && memberPath(elementAt(assigned.targets, 0))?.[1];
    if (value !== undefined && field !== undefined) when.set(field, value);
  }
  return { ...(discriminator === undefined ? {} : { discriminator }), when };
}

/** Reads `if database.ReadWrite != nil { return json.Marshal(database.ReadWrite) }`. */
function marshalled(body: readonly GoStatement[]): string[] {
  return body.flatMap((statement) => {
    const tested = statement.is === 'if' && statement.condition.is === 'binary' ? unwrapped(statement.condition.left) : undefined;
    const field = tested && memberPath(tested)?.[1];
    return field === undefined ? [] : [field];
  });
}

function text(expression: GoExpression): string | undefined {
  return expression.is === 'string' ? expression.value : undefined;
}
