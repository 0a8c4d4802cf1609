import { Comments } from './comments';
import { evaluate, type Code, type CodeNames, type Entry, type Expression, type ObjectExpression } from './expression';
import { isReserved } from './names';
import type { Plan } from './plan';
import { printExpression } from './print-expression';
import { propertyNameOf } from '../../src/catalog/property-names';
import { capitalized } from '../../src/util/words';

/** A value that several constructs have, with a name. */
export interface Constant {
  readonly name: string;
  readonly value: Expression;
}

/** Shorter texts, such as the name of a SKU, are easier to read where they stand. UUIDs and ids are longer. */
const SHORTEST_TEXT = 30;
const FEWEST = 2;
/** The name of an object says which one it is; it is not meant to be another object's, too. */
const NOT_SHARED = new Set(['metadata', 'azureName', 'additionalSpec']);

const NAMES: CodeNames = {
  variable: () => '', innerChart: () => '', parameter: ({ name }) => name, core: (name) => name, cdk8s: (name) => name, service: (submodule, name) => `${submodule}.${name}`,
};

interface Found {
  readonly key: string;
  readonly value: Expression;
  count: number;
}

/** Plans in which long values and tags that stand several times have a name. */
export function withConstants(
  plans: readonly Plan[], variables: Iterable<string>,
): { readonly plans: Plan[]; readonly constants: Constant[] } {
  const found = new Map<string, Found>();
  for (const { props } of plans) collect(props, found);
  const taken = new Set(variables);
  const named = new Map<string, Constant>();
  for (const [text, { key, value, count }] of found) {
    if (count < FEWEST) continue;
    const name = freeName(nameOf(key, value), taken);
    taken.add(name);
    named.set(text, { name, value });
  }
  if (named.size === 0) return { plans: [...plans], constants: [] };
  return {
    plans: plans.map((plan) => ({ ...plan, props: replaced(plan.props, named) as ObjectExpression })),
    constants: [...named.values()],
  };
}

function collect({ entries }: ObjectExpression, found: Map<string, Found>): void {
  for (const { key, value } of entries) {
    if (NOT_SHARED.has(key)) continue;
    const text = sharedText(key, value);
    if (text !== undefined) {
      const before = found.get(text);
      if (before) before.count += 1;
      else found.set(text, { key, value, count: 1 });
    } else if (value.is === 'object') {
      collect(value, found);
    } else if (value.is === 'list') {
      for (const { value: item } of value.items) if (item.is === 'object') collect(item, found);
    }
  }
}

function replaced(expression: Expression, named: ReadonlyMap<string, Constant>): Expression {
  if (expression.is === 'list') return { ...expression, items: expression.items.map((item) => ({ ...item, value: replaced(item.value, named) })) };
  if (expression.is !== 'object') return expression;
  const entries = expression.entries.map((entry): Entry => {
    if (NOT_SHARED.has(entry.key)) return entry;
    const text = sharedText(entry.key, entry.value);
    const constant = text === undefined ? undefined : named.get(text);
    return { ...entry, value: constant ? mention(constant) : replaced(entry.value, named) };
  });
  return { ...expression, entries };
}

function mention({ name, value }: Constant): Code {
  return { is: 'code', uses: [], value: (run) => evaluate(value, run), text: () => name };
}

/** The text of a value that is worth a name; undefined for others. */
function sharedText(key: string, value: Expression): string | undefined {
  const isTags = key === 'tags' && value.is === 'object' && value.entries.length > 0;
  const isText = value.is === 'literal' && typeof value.value === 'string' && value.value.length >= SHORTEST_TEXT;
  const isReference = value.is === 'code' && value.uses.length === 0;
  if (!isTags && !isText && !isReference) return undefined;
  const text = printExpression(value, { names: NAMES, comments: Comments.of(undefined) });
  return isReference && !text.includes('.fromArmId(') ? undefined : text;
}

/** `principalId` for the property, `companyLogs` for the resource with an id. */
function nameOf(key: string, value: Expression): string {
  const id = value.is === 'code' ? /\/([^/']+)'\)$/.exec(value.text(NAMES))?.[1] : undefined;
  const words = (id ?? key).split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = propertyNameOf(words.map((word, index) => (index === 0 ? word : capitalized(word))).join(''), false);
  return /^[a-zA-Z]/.test(name) && name.length <= 40 ? name : 'shared';
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const free = (candidate: string) => !taken.has(candidate) && !isReserved(candidate);
  if (free(name)) return name;
  for (let n = 2; ; n++) if (free(`${name}${n}`)) return `${name}${n}`;
}
