import { structOf, type Models } from './models';
import type { Subject } from './subject';
import type { KindModel, PropertyModel, ServiceModel, StructModel } from '../../codegen/model';
import { submoduleOf } from '../../codegen/names';
import { propertyOfAzure } from '../../src/catalog/azure-names';
import { nearest } from '../../src/util/nearest';
import { firstOf } from '../../src/util/words';
import { UsageError } from '../output/usage-error';

/** A property with the struct that has it. */
export interface Step {
  readonly property: PropertyModel;
  readonly struct: StructModel;
}

/** A kind with the steps to a property of it; without steps the kind itself. */
export interface Located {
  readonly kind: KindModel;
  readonly service: ServiceModel;
  readonly path: readonly Step[];
}

/** @throws UsageError when the kind has no such property */
export function locate(subject: Subject & { readonly is: 'spec' }, models: Models): Located {
  const service = models.of(submoduleOf(subject.kind.service))!;
  const kind = service.kinds.find(({ className }) => className === subject.kind.kind)!;
  const path: Step[] = [];
  let struct: StructModel | undefined = kind.spec;
  for (const name of subject.path) {
    const property: PropertyModel | undefined = struct && propertyNamed(struct, name);
    if (!struct || !property) throw new UsageError(`explain: ${problem(kind, service, path, struct, name)}`);
    path.push({ property, struct });
    struct = structOf(property.type, kind, service);
  }
  return { kind, service, path };
}

function propertyNamed({ properties }: StructModel, name: string): PropertyModel | undefined {
  const lower = name.toLowerCase();
  return properties.find(({ propName, specName }) => [propName, specName].includes(name))
    ?? properties.find(({ propName, specName }) => [propName, specName].some((own) => own.toLowerCase() === lower));
}

function problem(kind: KindModel, service: ServiceModel, path: readonly Step[], struct: StructModel | undefined, name: string): string {
  const at = [service.submodule, kind.className, ...path.map(({ property }) => property.propName)].join('.');
  if (name === 'status' && path.length === 0) return `${at}: status is not explained; the outputs of the kind are: cdk8s-aso explain ${at}`;
  if (!struct) return `${at} has no properties: it is a plain value`;
  const called = azureName(struct, name);
  if (called !== undefined) return `${at} has no property ${name}: Azure's ${name} is called ${called.propName} here: cdk8s-aso explain ${at}.${called.propName}`;
  const best = nearest(name, struct.properties.map(({ propName }) => propName));
  if (best !== undefined) return `${at} has no property ${name}. Did you mean '${at}.${best}'?`;
  const deeper = placesOf(name, kind.spec, kind, service, []);
  const hint = deeper.length === 0 ? `It has ${firstOf(struct.properties.map(({ propName }) => propName), 12)}` : `There is ${firstOf(deeper, 4)}`;
  return `${at} has no property ${name}. ${hint}`;
}

/** The property that Azure calls so. */
function azureName({ properties }: StructModel, name: string): PropertyModel | undefined {
  const called = propertyOfAzure(name, Object.fromEntries(properties.map(({ specName, facts }) => [specName, facts])));
  return properties.find(({ specName }) => specName === called);
}

/** Paths of the properties of a name, here or in Azure, anywhere in a kind. */
function placesOf(name: string, struct: StructModel, kind: KindModel, service: ServiceModel, above: readonly StructModel[]): string[] {
  if (above.includes(struct)) return [];
  return struct.properties.flatMap(({ propName, type }) => {
    const inner = structOf(type, kind, service);
    const deeper = inner ? placesOf(name, inner, kind, service, [...above, struct]).map((place) => `${propName}.${place}`) : [];
    return propName.toLowerCase() === name.toLowerCase() || propName === azureName(struct, name)?.propName ? [propName, ...deeper] : deeper;
  });
}
