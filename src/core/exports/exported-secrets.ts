import type { KindVersion } from '../../catalog/kind';
import { elementAt } from '../../util/elements';
import { isText, member, struct, type Struct, text } from '../../util/records';

/** A value for a Secret that the operator fetches by a call, such as a key: values from the status or the id are none. */
export interface ExportedSecret {
  /** `primaryKey` */
  readonly name: string;
  /** The call that gives it, as the catalog names it (`secretSources.calls`). */
  readonly call: string;
  /** `spec.operatorSpec.secrets.primaryKey`, or the expression that contains it. */
  readonly path: string;
}

const SECRET_OF_EXPRESSION = /\bsecret\.([A-Za-z_]\w*)/g;

/** The fetched secrets that a spec exports, by name and in expressions. */
export function exportedSecrets(spec: Struct, version: KindVersion): ExportedSecret[] {
  const operatorSpec = struct(member(spec, 'operatorSpec'));
  const { calls = {}, values = {} } = (operatorSpec && version.kind.facts.secretSources) ?? {};
  if (!operatorSpec || Object.keys(calls).length === 0) return [];
  const named = Object.keys(struct(member(operatorSpec, 'secrets')) ?? {}).map((name) => ({ name, path: `spec.operatorSpec.secrets.${name}` }));
  const inExpressions = ['secretExpressions', 'configMapExpressions'].flatMap((property) => {
    const list = member(operatorSpec, property);
    return (Array.isArray(list) ? list : []).flatMap((entry, index) => {
      const value = text(entry, 'value');
      const names = isText(value) ? [...value.matchAll(SECRET_OF_EXPRESSION)].map((match) => elementAt(match, 1)) : [];
      return names.map((name) => ({ name, path: `spec.operatorSpec.${property}[${index}].value` }));
    });
  });
  return [...named, ...inExpressions].flatMap(({ name, path }) => {
    const call = Object.hasOwn(values, name) ? values[name]?.split(':')[0] : undefined;
    return call !== undefined && Object.hasOwn(calls, call) ? { name, path, call } : [];
  });
}
