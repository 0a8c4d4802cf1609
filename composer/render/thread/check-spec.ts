import { CompositionError, failed } from './composition-error';
import type { ClaimSchema, SchemaIssue } from '../../../src/platform-api';
import { shortened } from '../../../src/util/words';
import type { SpecIssue } from '../types';

const MOST_ISSUES = 100;
const LONGEST_ISSUE = 1000;

/**
 * The spec with its defaults.
 * @throws CompositionError with what is wrong
 */
export function checkedSpec(schema: ClaimSchema<unknown>, spec: unknown): unknown {
  const hostile = pathOfPrototype(spec, 'spec');
  if (hostile !== undefined) throw invalid([{ path: hostile, message: 'a member must not have this name' }]);
  const result = schema['~standard'].validate(spec);
  if (isThenable(result)) throw failed('the schema checks asynchronously, which compose cannot wait for: remove its asynchronous checks');
  if (!result.issues) return result.value;
  const issues = result.issues.slice(0, MOST_ISSUES);
  throw invalid(listedIssues(issues.map(({ path = [], message }) => ({ path: pathText(path), message }))));
}

/** The first of the problems, with shortened messages. */
export function listedIssues(issues: readonly SpecIssue[]): SpecIssue[] {
  const short = (text: unknown) => shortened(String(text), LONGEST_ISSUE);
  return issues.slice(0, MOST_ISSUES).map(({ path, message }) => ({ path: short(path), message: short(message) }));
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function invalid(issues: readonly SpecIssue[]): CompositionError {
  return new CompositionError({ reason: 'InvalidSpec', issues });
}

function pathText(path: NonNullable<SchemaIssue['path']>): string {
  const keys = path.map((key) => (typeof key === 'object' ? key.key : key));
  return keys.reduce<string>((text, key) => text + step(key), 'spec');
}

function step(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  const text = shortened(String(key), 100);
  return /^[A-Za-z_$][\w$-]*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}

/** The path of a member that would replace the prototype of the object that it is copied into. */
export function pathOfPrototype(value: unknown, title: string): string | undefined {
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path: title }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: parent, path } = next;
    if (typeof parent !== 'object' || parent === null) continue;
    for (const [key, one] of Object.entries(parent)) {
      const at = Array.isArray(parent) ? `${path}[${key}]` : path + step(key);
      if (key === '__proto__') return at;
      if (typeof one === 'object') open.push({ value: one, path: at });
    }
  }
  return undefined;
}
