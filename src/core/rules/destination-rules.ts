import { ObjectSet } from './object-set';
import { Found, FoundAt, ofEach, ofSet } from './rule';
import { AzureObject, SetObject, titleOf } from './set-object';
import { destinationsOf, SpecDestination } from '../../catalog/spec-references';
import { parsePath } from '../../catalog/validate-spec';
import { member, struct } from '../../util/records';

/** Two exports of one object go to the same key, annotation or label. */
export const destinationTwice = ofEach(withinObject);

/** Two objects export into one ConfigMap or Secret. */
export const destinationShared = ofSet(betweenObjects);

/** An export goes to a ConfigMap or Secret that is itself in the files. */
export const destinationTaken = ofSet(againstManifests);

/** `secret` in `configMapExpressions`, or `secret["x"]`, which the operator does not recognize. */
export const secretExpression = ofEach(secretExpressions);

function withinObject(object: AzureObject): Found[] {
  const { spec, version } = object;
  const written = new Map<string, string>();
  const found: Found[] = [];
  const claim = (key: string, field: string, what: string) => {
    const before = written.get(key);
    if (before === undefined) written.set(key, field);
    else found.push({ field, message: `${what} is already written by ${object.fieldName(before)}`, fix: 'give another key or name' });
  };
  for (const destination of destinationsOf(spec, version)) {
    const { store, name, key, path } = destination;
    // Expressions that give a map have no fixed key; their keys are known only at run time.
    if (key !== undefined) claim(`${store} ${name} key ${key}`, path, `key '${key}' of ${store} '${name}'`);
    for (const kind of ['annotations', 'labels']) {
      for (const entry of Object.keys(struct(member(destinationAt(spec, destination), kind)) ?? {})) {
        claim(`${store} ${name} ${kind} ${entry}`, path, `${kind.slice(0, -1)} '${entry}' of ${store} '${name}'`);
      }
    }
  }
  return found;
}

function destinationAt(spec: unknown, { path }: Pick<SpecDestination, 'path'>): unknown {
  return parsePath(path)
    .slice(1)
    .reduce<unknown>((value, step) => (typeof step === 'number' ? (value as unknown[] | undefined)?.[step] : member(value, step)), spec);
}

function betweenObjects(set: ObjectSet): FoundAt[] {
  const writers = new Map<string, SetObject>();
  const found: FoundAt[] = [];
  for (const object of set.azure) {
    for (const { store, name, path } of object.facts.writes) {
      const key = `${store} ${object.namespace ?? ''} ${name}`;
      const writer = writers.get(key);
      if (!writer) {
        writers.set(key, object);
      } else if (writer !== object) {
        found.push({
          object,
          field: path,
          message: `${store} '${name}' is already written by ${titleOf(writer)}`,
          fix: 'give another name',
        });
      }
    }
  }
  return found;
}

function againstManifests(set: ObjectSet): FoundAt[] {
  return set.azure.flatMap((object) => {
    const reported = new Set<SetObject>();
    return object.facts.writes.flatMap(({ store, name, path }) => {
      const found = set.find('', store, object.namespace, name);
      // All keys that go to one object are one mistake.
      if (!found || reported.has(found)) return [];
      reported.add(found);
      return [
        {
          object,
          field: path,
          message: `${store} '${name}' is an object of its own: ${titleOf(found)}`,
          fix: 'give another name, or take that object out',
        },
      ];
    });
  });
}

function secretExpressions({ spec }: AzureObject): Found[] {
  const operatorSpec = member(spec, 'operatorSpec');
  const expressions = (property: string) => {
    const list = member(operatorSpec, property);
    return Array.isArray(list)
      ? list.map((item, index) => ({ field: `spec.operatorSpec.${property}[${index}].value`, value: member(item, 'value') }))
      : [];
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
