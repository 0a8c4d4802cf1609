import { submoduleOf } from '../../codegen/names';
import { kindQuestion, meantKinds, type Catalog, type Kind } from '../../src/catalog';
import { plainPath } from '../../src/catalog/spec-paths';
import { groupOfService } from '../../src/util/api-groups';
import { nearest, suggestion } from '../../src/util/nearest';
import { firstOf } from '../../src/util/words';
import { UsageError } from '../output/usage-error';

/** The kinds or the property that a command line names. */
export type Subject =
  | { readonly is: 'services' }
  | { readonly is: 'service'; readonly service: string }
  | { readonly is: 'spec'; readonly kind: Kind; readonly path: readonly string[]; readonly version?: string | undefined };

/**
 * The subject of `storage`, `storage.StorageAccount.sku`, `storage.azure.com/StorageAccount`, `storage.azure.com/v20250601/StorageAccount`,
 * `storageaccounts.storage.azure.com` or `storageaccount.sku`.
 * @throws UsageError when nothing has such a name
 */
export function subjectOf(text: string, catalog: Catalog): Subject {
  const named = plainPath(text.trim()).replace(/\[\d+\]/g, '');
  if (named === '') return { is: 'services' };
  const foreign = foreignSubject(named, catalog);
  if (foreign) return foreign;
  const [first = '', ...others] = named.split('/');
  if (others.length > 0) return inGroup(serviceNamed(first, catalog), others, catalog);
  const service = leadingService(named, catalog);
  if (service === undefined) return anywhere(named.split('.'), catalog);
  return service.rest.length === 0 ? { is: 'service', service: service.name } : inService(service.name, service.rest, catalog);
}

function inGroup(service: string, segments: readonly string[], catalog: Catalog): Subject {
  const [last = '', version, ...others] = [...segments].reverse();
  if (others.length > 0) throw new UsageError(`explain: write GROUP/KIND or GROUP/VERSION/KIND, e.g. ${groupOfService(service)}/KIND`);
  const subject = last === '' ? ({ is: 'service', service } as const) : inService(service, last.split('.'), catalog);
  return subject.is === 'spec' ? { ...subject, version } : subject;
}

function serviceNamed(text: string, catalog: Catalog): string {
  const found = leadingService(text, catalog);
  if (found?.rest.length === 0) return found.name;
  throw new UsageError(`explain: there is no group ${text}.${suggestion(text, catalog.groups)}`);
}

/** The service at the beginning of a path; the longest name counts, `network.frontdoor` before `network`. */
function leadingService(text: string, catalog: Catalog): { name: string; rest: string[] } | undefined {
  const lower = text.toLowerCase();
  const found = catalog.services
    .flatMap((name) => [groupOfService(name), name, submoduleOf(name)].map((spelling) => ({ name, spelling })))
    .filter(({ spelling }) => lower === spelling || lower.startsWith(`${spelling}.`))
    .sort((a, b) => b.spelling.length - a.spelling.length)[0];
  return found && { name: found.name, rest: text.slice(found.spelling.length + 1).split('.').filter((part) => part !== '') };
}

function inService(service: string, [name = '', ...path]: readonly string[], catalog: Catalog): Subject {
  const kinds = catalog.kindsOf(service);
  const kind = kinds.find((candidate) => candidate.kind === name) ?? kinds.find((candidate) => isNamed(candidate, name));
  if (kind) return { is: 'spec', kind, path: withoutSpec(path) };
  throw new UsageError(`explain: ${groupOfService(service)} has no kind ${name}.${hint(name, kinds, catalog, groupOfService(service))} cdk8s-aso explain ${service} lists its kinds`);
}

/** A kind without its group. */
function anywhere(parts: readonly string[], catalog: Catalog): Subject {
  const [name = '', ...path] = parts;
  const found = catalog.allKinds.filter((kind) => isNamed(kind, name));
  const inItsGroup = found.find(({ group }) => path.join('.').toLowerCase() === group);
  if (inItsGroup) return { is: 'spec', kind: inItsGroup, path: [] };
  const [kind, ...others] = found;
  if (kind && others.length === 0) return { is: 'spec', kind, path: withoutSpec(path) };
  if (kind) {
    const choices = firstOf(found.map((one) => `${submoduleOf(one.service)}.${one.kind}`), 6);
    throw new UsageError(`explain: ${name} is a kind of several services: give one of ${choices}`);
  }
  const service = nearest(name, catalog.services, 2);
  const hinted = service === undefined ? hint(name, catalog.allKinds, catalog) : ` Did you mean '${[service, ...path].join('.')}'?`;
  throw new UsageError(`explain: there is no service or kind ${name}.${hinted} cdk8s-aso explain lists the services`);
}

function isNamed({ kind, facts }: Kind, name: string): boolean {
  const lower = name.toLowerCase();
  return [kind, facts.plural, facts.singular, ...(facts.shortNames ?? [])].some((own) => own.toLowerCase() === lower);
}

/** The kind of an ARM type, or of a name of Terraform's or Crossplane's: `Microsoft.Network/virtualNetworks/subnets`, `azurerm_subnet`. */
function foreignSubject(named: string, catalog: Catalog): Subject | undefined {
  const slash = named.indexOf('/');
  const isForeign = /^microsoft\.[^/]+\/|^azurerm_/i.test(named) || /\.(?:upbound|crossplane)\.io\//i.test(named);
  const parts = slash < 0 || /^microsoft\./i.test(named)
    ? { kind: named }
    : { group: named.slice(0, slash), kind: named.slice(named.lastIndexOf('/') + 1) };
  const [kind, ...others] = isForeign ? meantKinds(parts, catalog) : [];
  if (kind && others.length === 0) return { is: 'spec', kind, path: [] };
  if (isForeign) throw new UsageError(`explain: ${named} is no kind of Azure Service Operator.${question(named, catalog)}`);
  return undefined;
}

/** The kinds that are meant; else those whose names contain it. */
function hint(name: string, kinds: readonly Kind[], catalog: Catalog, group?: string): string {
  const asked = question(name, catalog, group);
  if (asked !== '') return asked;
  const containing = name.length < 3 ? [] : kinds.filter(({ kind }) => kind.toLowerCase().includes(name.toLowerCase()));
  return containing.length === 0 ? '' : ` There are ${firstOf(containing.map(kindPath), 5)}.`;
}

function question(name: string, catalog: Catalog, group?: string): string {
  return kindQuestion({ group, kind: name }, catalog, kindPath);
}

function kindPath({ service, kind }: Kind): string {
  return `${submoduleOf(service)}.${kind}`;
}

/** `kubectl explain` writes `spec` before the properties. */
function withoutSpec(path: readonly string[]): readonly string[] {
  return path[0] === 'spec' ? path.slice(1) : path;
}
