import type { ObjectSet } from './object-set';
import { FoundAt, ofSet } from './rule';
import { AzureObject, titleOf } from './set-object';
import { EXPORT_SWITCHES, KEY_SWITCHES, type KeySwitch } from '../../azure/rules/export-switches';
import { valueAtPath } from '../../azure/rules/values';
import { member } from '../../util/records';
import { exportedSecrets } from '../exports/exported-secrets';

/** An object exports keys that a setting of its own, or of the resource that it lies in, turns off. */
export const keySwitchedOff = ofSet((set) => KEY_SWITCHES.flatMap((one) => [one.kind, ...one.within ?? []].flatMap((kind) =>
  (set.kinds.get(kind) ?? []).flatMap((object) => exportsInVain(object, one, set)))));

/** A key of a queue's topic has the topic and the namespace above it. */
const MOST_OWNERS = 4;

function exportsInVain(object: AzureObject, one: KeySwitch, set: ObjectSet): FoundAt[] {
  const keys = exportedSecrets(object.spec, object.version).filter(({ call }) => one.calls?.includes(call) ?? true);
  const resource = keys.length === 0 ? undefined : holderOf(object, one.kind, set);
  const value = resource && valueAtPath(resource.spec, one.path);
  // The spec of an object that only reads says nothing about Azure.
  if (value === undefined || !isOff(value, one) || one.except?.(resource!.spec) || set.isOnlyRead(resource!)) return [];
  const whose = resource === object ? '' : ` of ${titleOf(resource!)}`;
  const setting = `${resource === object ? resource!.fieldName(`spec.${one.path}`) : one.path}: ${String(value)}`;
  return keys.map(({ path, name }) => ({
    object,
    field: path,
    message: `exports '${name}', which ${setting}${whose} turns off`,
    fix: `remove the export and ${one.instead}, or change the setting (${one.see})`,
  }));
}

function isOff(value: unknown, { off }: KeySwitch): boolean {
  return off.includes(typeof value === 'string' ? value.toLowerCase() : value as boolean);
}

/** The object itself, or the owner of the kind that it lies in. */
function holderOf(object: AzureObject, kind: string, set: ObjectSet): AzureObject | undefined {
  let at: AzureObject | undefined = object;
  for (let steps = 0; at && steps < MOST_OWNERS; steps += 1) {
    if (`${at.group}/${at.kind}` === kind) return at;
    at = set.containerOf(at);
  }
  return undefined;
}

/** An object exports a value from a status that the resource never has with its settings. */
export const exportSwitchedOff = ofSet((set) => [...EXPORT_SWITCHES.keys()].flatMap((kind) =>
  (set.kinds.get(kind) ?? []).flatMap((object) => emptyExports(object, set))));

function emptyExports(object: AzureObject, set: ObjectSet): FoundAt[] {
  const operatorSpec = member(object.spec, 'operatorSpec');
  if (operatorSpec === undefined) return [];
  const { exports, values } = { exports: object.version.facts.exports, values: object.version.kind.facts.secretSources?.values ?? {} };
  const sources = [
    ...Object.entries(exports?.configMaps ?? {}).map(([name, path]) => ({ store: exports?.configMapsProperty ?? 'configMaps', name, path })),
    ...Object.entries(values).map(([name, source]) => ({ store: 'secrets', name, path: source.startsWith('status:') ? source.slice('status:'.length) : null })),
  ].filter(({ store, name }) => member(member(operatorSpec, store), name) !== undefined);
  return sources.flatMap(({ store, name, path }): FoundAt[] => {
    const found = path === null ? undefined
      : EXPORT_SWITCHES.get(`${object.group}/${object.kind}`)!.find(({ status, lacks }) => status.test(path) && lacks(object.spec));
    if (!found || set.isOnlyRead(object) || set.neverCreates(object)) return [];
    return [{ object, field: `spec.operatorSpec.${store}.${name}`, message: `is empty: ${found.why}`, fix: found.fix }];
  });
}
