import { Lazy } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { Output } from '../output';
import { referenceOf } from '../schema/references';
import { SecretOutput } from '../secret-value';

/** The constructs that props refer to, at any depth. Tokens are skipped: their value is not known yet. */
export function constructsIn(props: object, except: ReadonlySet<string>): Set<IConstruct> {
  const found = new Set<IConstruct>();
  for (const name in props) {
    const value = (props as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'object' && Object.hasOwn(props, name) && !except.has(name)) collect(value, found);
  }
  return found;
}

function collect(value: unknown, found: Set<IConstruct>): void {
  if (typeof value !== 'object' || value === null || value instanceof Lazy) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
    return;
  }
  const reference = referenceOf(value);
  if (reference) {
    if (reference.construct) found.add(reference.construct);
  } else if (value instanceof Output || value instanceof SecretOutput) {
    found.add(value.producer);
  } else if (!Construct.isConstruct(value)) {
    for (const name in value) collect((value as Record<string, unknown>)[name], found);
  }
}
