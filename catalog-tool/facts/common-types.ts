import { isRequired, validationsIn } from './markers';
import { isProperty, propertyName } from './property-facts';
import type { ServiceCatalog } from './service';
import { sortedKeys } from './sorted-keys';
import { propertyType } from './type-facts';
import type { PropertyFacts, TypeExpression, TypeFacts } from '../../src/catalog';
import { isArray, isCommon, isConstrained, isMap } from '../../src/catalog';
import { localName } from '../go/types';
import type { GoPackage } from '../source/go-package';

/** The shared types that at least one service uses. */
export function commonTypes(services: readonly ServiceCatalog[], packages: readonly GoPackage[]): Record<string, TypeFacts> {
  const names = new Set<string>();
  for (const { facts, status } of services) {
    for (const types of [...Object.values(facts.types), ...Object.values(status.statusTypes)]) {
      const properties = Object.values(types).flatMap(({ props }) => Object.values(props));
      for (const name of properties.flatMap(({ type }) => commonIn(type))) names.add(name);
    }
  }
  return Object.fromEntries([...names].sort().map((name) => {
    const declaring = packages.find(({ structs }) => structs.has(name));
    if (!declaring) throw new Error(`no shared package declares ${name}`);
    const props = propertiesOf(name, declaring);
    return [name, { props: sortedKeys(props) }];
  }));
}

/** The properties of a struct, including those of embedded structs (`json:",inline"`). */
function propertiesOf(name: string, declaring: GoPackage): Record<string, PropertyFacts> {
  const fields = declaring.structs.get(name)?.fields ?? [];
  return Object.assign({}, ...fields.map((field) => {
    const embedded = field.tags.json === ',inline' ? localName(field.type) : undefined;
    if (embedded !== undefined) return propertiesOf(embedded, declaring);
    if (!isProperty(field)) return {};
    const { type, ...validations } = propertyType(field.type, declaring);
    const required = isRequired(field.comment) ? { required: true } : {};
    return { [propertyName(field)]: { type, ...required, ...validations, ...validationsIn(field.comment) } };
  }));
}

function commonIn(type: TypeExpression): string[] {
  if (isCommon(type)) return [type.common];
  if (isArray(type)) return commonIn(type.array);
  if (isMap(type)) return commonIn(type.map);
  return isConstrained(type) ? commonIn(type.type) : [];
}
