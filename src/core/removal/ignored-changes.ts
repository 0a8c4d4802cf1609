import { Step, stepsOf } from '../../catalog/change-path';
import type { PropertyFacts, TypeExpression, TypeFacts } from '../../catalog/facts';
import type { KindVersion } from '../../catalog/kind';
import { propertyNameOf } from '../../catalog/property-names';
import { isArray, isConstrained, isMap, isRef } from '../../catalog/type-expression';
import { valueAt } from '../../util/elements';
import { suggestion } from '../../util/nearest';
import { formatValue } from '../schema/conversion';

/** The paths for the annotation, and the problems of invalid ones. */
export interface IgnoredChanges {
  /** Paths with the spec's own names, as in the API. */
  readonly paths: string[];
  readonly problems: string[];
}

/** Reads `ignoreChanges` against the schema. */
export function ignoredChanges(given: unknown, version: KindVersion): IgnoredChanges {
  if (!Array.isArray(given)) return { paths: [], problems: [`ignoreChanges: is ${formatValue(given)}, but has to be a list of property paths.`] };
  const paths = new Set<string>();
  const problems: string[] = [];
  given.forEach((text: unknown, index) => {
    try {
      paths.add(specPathOf(text, version));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      problems.push(`ignoreChanges[${index}]: ${error.message}`);
    }
  });
  return { paths: [...paths], problems };
}

class PathError extends Error {}

const SECRET = 'Azure does not give secrets back, so no change of it is ever seen';

const NOT_IN_AZURE: Partial<Record<NonNullable<PropertyFacts['role']>, string>> = {
  owner: 'the owner says where the resource is, and nobody can change that in Azure',
  azureName: 'nobody can change the name of a resource in Azure',
  operatorSpec: 'it is for the operator and never gets to Azure',
  secret: SECRET,
  secretMap: SECRET,
};

/** Translates a path with names of the props to one with names of the spec. */
function specPathOf(text: unknown, version: KindVersion): string {
  const steps = typeof text === 'string' ? stepsOf(text) : undefined;
  if (!steps) throw new PathError(`${formatValue(text)} is no path of a property. Write it as in the props: sku.capacity, agentPoolProfiles[*].count, tags.team, tags["a.b"].`);
  let here: Place = { struct: version.specType };
  let [written, read] = ['', ''];
  for (const [index, step] of steps.entries()) {
    const next = follow(here, step, index === 0, read, version);
    written += next.text;
    read += step.source;
    here = next.place;
  }
  return written.replace(/^\./, '');
}

/** The position on a path: in an object of the spec, or at a value of a type. */
type Place = { readonly struct: TypeFacts } | { readonly type: TypeExpression };

function follow(
  here: Place,
  step: Step,
  root: boolean,
  read: string,
  version: KindVersion,
): { readonly text: string; readonly place: Place } {
  const where = read === '' ? version.kind.kind : `'${read}'`;
  if ('struct' in here) {
    if (step.is !== 'name') throw new PathError(`${where} is an object, not a list. Name one of its properties.`);
    const { specName, facts } = property(here.struct, step.text, root, where);
    return { text: key(specName), place: placeOf(facts.type, version) };
  }
  const { type } = here;
  if (isArray(type)) {
    if (step.is !== 'all') throw new PathError(`${where} is a list${step.is === 'index' ? ', whose elements may change places' : ''}. Write ${read}[*] for every element, or ${read} for the whole list.`);
    return { text: '[*]', place: placeOf(type.array, version) };
  }
  if (isMap(type)) return { text: keyOf(step, where), place: placeOf(type.map, version) };
  if (type === 'json') return { text: keyOf(step, where), place: here };
  throw new PathError(`${where} is a single value: nothing can come after it.`);
}

function placeOf(type: TypeExpression, version: KindVersion): Place {
  if (isConstrained(type)) return placeOf(type.type, version);
  return isRef(type) ? { struct: version.type(type.ref) } : { type };
}

function property(
  struct: TypeFacts,
  name: string,
  root: boolean,
  where: string,
): { readonly specName: string; readonly facts: PropertyFacts } {
  const names = new Map(Object.keys(struct.props).map((specName) => [propertyNameOf(specName, root), specName]));
  const specName = names.get(name);
  if (specName === undefined) {
    const renamed = [...names].find(([, spec]) => spec === name)?.[0];
    throw new PathError(
      `${where} has no property '${name}'.${renamed === undefined ? suggestion(name, names.keys()) : ` It is called '${renamed}' here.`}`,
    );
  }
  const facts = valueAt(struct.props, specName);
  const why = facts.role && NOT_IN_AZURE[facts.role];
  if (why) throw new PathError(`changes of '${name}' cannot be ignored: ${why}. Leave it out.`);
  if (facts.alternativeTo !== undefined) {
    throw new PathError(
      `'${name}' is where the value comes from; what may change in Azure is '${propertyNameOf(facts.alternativeTo, root)}'. Name that.`,
    );
  }
  return { specName, facts };
}

function keyOf(step: Step, where: string): string {
  if (step.is === 'index') throw new PathError(`${where} is a map, not a list. Name one of its keys, or write [*] for all.`);
  return step.is === 'all' ? '[*]' : key(step.text);
}

function key(text: string): string {
  return /^[A-Za-z_$][\w-]*$/.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}
