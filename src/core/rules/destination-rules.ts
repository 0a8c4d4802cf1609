import { AzureObject, ObjectSet, SetObject, titleOf } from './object-set';
import { Found, FoundAt, objectRule, Rule, setRule } from './rule';
import { parsePath } from './validate-spec';
import { destinationsOf, SpecDestination } from '../../catalog/spec-references';
import { member, struct } from '../../util/records';

/** What objects write to: ConfigMaps and Secrets. */
export const DESTINATION_RULES: readonly Rule[] = [
  objectRule('destination-twice', 'error', 'the webhook refuses two exports to one key, annotation or label', withinObject),
  setRule('destination-shared', 'error', 'a ConfigMap or Secret is owned by the one object that writes it, which replaces it whole; the other object never gets Ready', betweenObjects),
  setRule('destination-taken', 'error', 'the operator overwrites no ConfigMap or Secret that it has not made, so the object never gets Ready', againstManifests),
  objectRule('secret-expression', 'warning', 'expressions see only the secrets that they name as secret.name, and only in secretExpressions', secretExpressions),
];

function withinObject({ spec, version }: AzureObject): Found[] {
  const written = new Map<string, string>();
  const found: Found[] = [];
  const claim = (key: string, field: string, what: string) => {
    const before = written.get(key);
    if (before === undefined) written.set(key, field);
    else found.push({ field, message: `${what} is already written by ${before}`, fix: 'give another key or name' });
  };
  for (const destination of destinationsOf(spec, version)) {
    const { store, name, key, path } = destination;
    // Expressions that give a map have no key of their own; their keys are known only when they run.
    if (key !== undefined) claim(`${store} ${name} key ${key}`, path, `key '${key}' of ${store} '${name}'`);
    for (const kind of ['annotations', 'labels']) {
      for (const entry of Object.keys(struct(member(destinationAt(spec, destination), kind)) ?? {})) claim(`${store} ${name} ${kind} ${entry}`, path, `${kind.slice(0, -1)} '${entry}' of ${store} '${name}'`);
    }
  }
  return found;
}

function destinationAt(spec: unknown, { path }: Pick<SpecDestination, 'path'>): unknown {
  return parsePath(path).slice(1).reduce<unknown>((value, step) => (typeof step === 'number' ? (value as unknown[] | undefined)?.[step] : member(value, step)), spec);
}

function betweenObjects(set: ObjectSet): FoundAt[] {
  const writers = new Map<string, SetObject>();
  const found: FoundAt[] = [];
  for (const object of set.azure) {
    const shared = new Set<string>();
    for (const { store, name, path } of object.facts.writes) {
      const key = `${store} ${object.namespace ?? ''} ${name}`;
      const writer = writers.get(key);
      if (!writer) {
        writers.set(key, object);
      } else if (writer !== object && !shared.has(key)) {
        shared.add(key);
        found.push({ object, field: path, message: `${store} '${name}' is already written by ${titleOf(writer)}`, fix: 'give another name' });
      }
    }
  }
  return found;
}

function againstManifests(set: ObjectSet): FoundAt[] {
  return set.azure.flatMap((object) => {
    const reported = new Set<string>();
    return object.facts.writes.flatMap(({ store, name, path }) => {
      if (reported.has(`${store} ${name}`) || !set.find('', store, object.namespace, name)) return [];
      reported.add(`${store} ${name}`);
      return [{ object, field: path, message: `${store} '${name}' stands in the files as well`, fix: 'give another name, or take it out of the files' }];
    });
  });
}

function secretExpressions({ spec }: AzureObject): Found[] {
  const operatorSpec = member(spec, 'operatorSpec');
  const expressions = (property: string) => {
    const list = member(operatorSpec, property);
    return Array.isArray(list) ? list.map((item, index) => ({ field: `spec.operatorSpec.${property}[${index}].value`, value: member(item, 'value') })) : [];
  };
  const matches = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);
  return [
    ...expressions('configMapExpressions').filter(({ value }) => matches(value, /(^|[^\w."'])secret\s*[.[]/)).map(({ field }) => ({
      field, message: 'a ConfigMap cannot have a secret: the expression fails when it runs', fix: 'move it to secretExpressions',
    })),
    ...expressions('secretExpressions').filter(({ value }) => matches(value, /(^|[^\w."'])secret\s*\[/)).map(({ field }) => ({
      field, message: "secret['name'] is not recognized, so the secret is not fetched", fix: 'write secret.name',
    })),
  ];
}
