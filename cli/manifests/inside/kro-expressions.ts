import type { FoundInside, ReadObject } from './holder';
import { valueAt } from './value-at';
import { groupOf } from '../../../src/object-id';
import { mayBeInCatalog } from '../../../src/util/api-groups';
import { isRecord, isText, type Struct } from '../../../src/util/records';

/** Longer texts are not looked into: a reference stands for a text, which may have references itself. */
const MAX_TEXT = 1000;
/** Stands for an expression that is not shown. */
const UNKNOWN = '${…}';
/** A reference to a field, and to nothing else: `storageAccount.metadata.name`. */
const REFERENCE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
/** The namespace of objects without one: that of the instance. */
const INSTANCE_NAMESPACE = '${schema.metadata.namespace}';

/**
 * An object of a ResourceGraphDefinition. Expressions are values that come later, but for those that name a field of another resource of
 * the definition: they have its value. Every expression stands on one line and without braces, as variables do.
 * @see https://kro.run/docs/concepts/rgd/cel-expressions
 */
export function kroTemplate({ value, holder }: FoundInside): ReadObject | undefined {
  if (!isRecord(value) || !isRecord(value.metadata) || isText(value.spec)) return undefined;
  const read = expressionsOf(holder).valueOf(value) as { metadata: Record<string, unknown>; apiVersion?: unknown };
  const { labels, annotations, ...metadata } = read.metadata;
  const isNamespaced = isText(value.apiVersion) && (mayBeInCatalog(groupOf({ apiVersion: value.apiVersion })) || value.kind !== 'Namespace');
  return {
    value: {
      ...read,
      metadata: {
        ...(isNamespaced && { namespace: INSTANCE_NAMESPACE }),
        ...metadata,
        ...(isRecord(labels) && { labels }),
        ...(isRecord(annotations) && { annotations }),
      },
    },
  };
}

const known = new WeakMap<Struct, Expressions>();

function expressionsOf(holder: Struct): Expressions {
  const found = known.get(holder) ?? new Expressions(templatesOf(holder));
  known.set(holder, found);
  return found;
}

/** The templates of a definition by their ids. One that is made for each element of a list has several names. */
function templatesOf(holder: Struct): ReadonlyMap<string, unknown> {
  const resources = valueAt(holder, ['spec', 'resources']);
  return new Map((Array.isArray(resources) ? resources : []).flatMap((entry: unknown): [string, unknown][] => (
    isRecord(entry) && isText(entry.id) && isRecord(entry.template) && entry.forEach === undefined ? [[entry.id, entry.template]] : []
  )));
}

class Expressions {
  /** The values of references; that of one that is being read is the reference itself, so that a cycle ends. */
  private readonly references = new Map<string, unknown>();

  public constructor(private readonly templates: ReadonlyMap<string, unknown>) {}

  public valueOf(value: unknown): unknown {
    if (isText(value)) return value.includes('${') ? this.textOf(value) : value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.valueOf(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.valueOf(item)]));
  }

  /** An expression alone has a value of any type; several, or one in a text, are a text. */
  private textOf(written: string): unknown {
    if (written.length > MAX_TEXT) return UNKNOWN;
    const parts = [...partsOf(written)];
    const values = parts.map((part) => (part.isExpression ? this.expression(part.text) : part.text));
    if (values.length === 1) return values[0];
    const text = values.map(String).join('');
    return text.length > MAX_TEXT ? UNKNOWN : text;
  }

  private expression(written: string): unknown {
    const expression = written.replace(/\s+/g, ' ').trim();
    const later = expression === '' || /[{}]/.test(expression) ? UNKNOWN : `\${${expression}}`;
    if (!REFERENCE.test(expression)) return later;
    if (!this.references.has(expression)) {
      this.references.set(expression, later);
      const [id, ...path] = expression.split('.') as [string, ...string[]];
      const found = valueAt(this.templates.get(id), path);
      const isScalar = isText(found) || typeof found === 'number' || typeof found === 'boolean';
      if (isScalar) this.references.set(expression, this.valueOf(found));
    }
    return this.references.get(expression);
  }
}

interface Part {
  readonly text: string;
  readonly isExpression: boolean;
}

/** The parts of a text, in their order: expressions end at the brace that closes theirs, outside of texts in quotes. */
function* partsOf(text: string): Generator<Part> {
  let end = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', end)) {
    const close = closingBrace(text, at + 2);
    if (close === undefined) break;
    if (at > end) yield { text: text.slice(end, at), isExpression: false };
    yield { text: text.slice(at + 2, close), isExpression: true };
    end = close + 1;
  }
  if (end < text.length) yield { text: text.slice(end), isExpression: false };
}

function closingBrace(text: string, from: number): number | undefined {
  let [depth, quote] = [1, ''];
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
