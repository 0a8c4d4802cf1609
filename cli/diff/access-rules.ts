import type { PropertyChange } from './changes';
import { structsIn } from './structs-in';
import type { SynthObject } from './synth';
import { member, text, type Struct } from '../../src/util/records';

/** The rights and subjects of RBAC objects as sets, because their order has no meaning. Undefined for other objects. */
export function accessChanges(was: SynthObject | undefined, is: SynthObject | undefined): PropertyChange[] | undefined {
  const { group, kind } = (is ?? was)!;
  if (group !== 'rbac.authorization.k8s.io') return undefined;
  const [path, entries] = kind.endsWith('Binding') ? ['subjects', subjectsOf] as const : ['rules', rightsOf] as const;
  const [before, after] = [new Set(was ? entries(was) : []), new Set(is ? entries(is) : [])];
  return [
    ...[...before].filter((entry) => !after.has(entry)).sort().map((entry) => ({ path, old: entry })),
    ...[...after].filter((entry) => !before.has(entry)).sort().map((entry) => ({ path, new: entry })),
  ];
}

/** `get, list, watch storageaccounts.storage.azure.com`: the verbs for each resource, added up over all rules. */
function rightsOf({ object }: SynthObject): string[] {
  const rights = new Map<string, Set<string>>();
  for (const rule of listOf(object, 'rules')) {
    const names = textsOf(rule, 'resourceNames');
    const only = names.length > 0 ? ` (only ${names.sort().join(', ')})` : '';
    const groups = textsOf(rule, 'apiGroups');
    const resources = (groups.length > 0 ? groups : ['']).flatMap((group) =>
      textsOf(rule, 'resources').map((resource) => (group === '' ? resource : `${resource}.${group}`)),
    );
    for (const target of [...resources, ...textsOf(rule, 'nonResourceURLs')]) {
      const key = `${target}${only}`;
      const verbs = rights.get(key) ?? new Set();
      textsOf(rule, 'verbs').forEach((verb) => verbs.add(verb));
      rights.set(key, verbs);
    }
  }
  return [...rights].map(([target, verbs]) => `${[...verbs].sort().join(', ')} ${target}`);
}

function subjectsOf({ object }: SynthObject): string[] {
  return listOf(object, 'subjects').map((subject) => {
    const namespace = text(subject, 'namespace');
    return `${text(subject, 'kind') ?? '?'} ${namespace === undefined ? '' : `${namespace}/`}${text(subject, 'name') ?? '?'}`;
  });
}

function listOf(object: unknown, key: string): Struct[] {
  const list = member(object, key);
  return Array.isArray(list) ? structsIn(list) : [];
}

function textsOf(object: unknown, key: string): string[] {
  const list = member(object, key);
  return Array.isArray(list) ? list.filter((element): element is string => typeof element === 'string') : [];
}
