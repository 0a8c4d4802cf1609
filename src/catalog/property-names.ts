import { capitalized } from '../util/words';

/** Members that jsii forbids, or that have a meaning in Java, C# or JavaScript objects. */
const RESERVED = new Set([
  'build', 'clone', 'constructor', 'equals', 'finalize', 'getClass', 'getHashCode', 'hashCode', 'memberwiseClone', 'notify', 'notifyAll',
  'prototype', 'toString', 'valueOf', 'wait',
]);

/** The props of every resource besides its spec (`AzureResourceProps`). */
const TAKEN_AT_ROOT = new Set([
  'metadata',
  'reconcilePolicy',
  'adopt',
  'credential',
  'apiVersion',
  'additionalSpec',
  'removalPolicy',
  'ignoreChanges',
]);

const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;

/**
 * The name of a spec property in the props. Nearly always the spec's own; `docs/naming.md` has the rule. No two properties of a type get
 * the same name: a test checks this for the whole catalog.
 *
 * @param specName the name in the CRD, e.g. `scan-interval`
 * @param root whether the property is directly in the spec, not in a nested struct
 */
export function propertyNameOf(specName: string, root: boolean): string {
  const name = CAMEL_CASE.test(specName) ? specName : camelCase(specName);
  return RESERVED.has(name) || (root && TAKEN_AT_ROOT.has(name)) ? `${name}Property` : name;
}

/** `scan-interval` → `scanInterval`, `odata.type` → `odataType`, `SSLCheck` → `sslCheck`, `TTL` → `ttl`. */
function camelCase(text: string): string {
  const [first = '', ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = first.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (capitals) => capitals.toLowerCase()) + rest.map(capitalized).join('');
  return /^[a-z]/.test(joined) ? joined : `property${capitalized(joined)}`;
}
