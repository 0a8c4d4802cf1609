import type { Catalog } from './catalog';
import type { Kind } from './kind';
import { meantKinds, type NamedKind } from './meant-kinds';
import { groupOfService, mayBeInCatalog, serviceOfGroup } from '../util/api-groups';
import { nearest } from '../util/nearest';
import { counted, listed } from '../util/words';

/** As many kinds of a service as a message lists. */
const MAX_LISTED = 6;

/** Whether an object is meant to be one of Azure, though no group has such a name: ARM types and Terraform's, or a group in capitals. */
export function isMeantForAzure(group: string, kind: string): boolean {
  if (/^microsoft\.[a-z0-9]+$/i.test(group) || /^microsoft\.[a-z0-9]+\//i.test(kind) || /^azurerm_/i.test(kind)) return true;
  return group !== group.toLowerCase() && mayBeInCatalog(group.toLowerCase());
}

/** The group that an API version without a version names: `storage.azure.com`. */
export function groupWithoutVersion(apiVersion: string, catalog: Catalog): string | undefined {
  return !apiVersion.includes('/') && catalog.hasService(serviceOfGroup(apiVersion) ?? '') ? apiVersion : undefined;
}

/**
 * The fix for a kind that does not exist: the kinds that are meant, or where all of them are listed.
 * @param written the group that the file has; default: the group where the kind is looked for
 */
export function kindFix(named: NamedKind, catalog: Catalog, written = named.group): string {
  const { group = '' } = named;
  const meant = meantKinds(named, catalog);
  const [only, ...others] = meant;
  const service = serviceOfGroup(group);
  if (only && others.length === 0) {
    const { kind, latest: { apiVersion } } = only;
    if (only.group === written) return `write kind ${kind}`;
    return kind === named.kind ? `write ${apiVersion}` : `write ${apiVersion}, kind ${kind}`;
  }
  if (only) return `write the one that is meant: ${listed(meant.map((kind) => spelled(kind, group)), 'or')}`;
  if (service === undefined || !catalog.hasService(service)) {
    const near = nearest(service ?? group, catalog.services);
    return near === undefined ? 'write the group of the kind, e.g. storage.azure.com, if it is one of Azure Service Operator' : `did you mean ${groupOfService(near)}?`;
  }
  const kinds = catalog.kindsOf(service).map(({ kind }) => kind);
  if (kinds.length === 1) return `write ${listed(kinds)}, its only kind, if that is meant`;
  if (kinds.length <= MAX_LISTED) return `write the kind that is meant, if it is one of these: ${listed(kinds, 'or')}`;
  return `write one of the ${counted(kinds.length, 'kind')} of ${group}: cdk8s-aso explain ${service} lists them`;
}

/** ` Did you mean 'network.azure.com/VirtualNetworksSubnet'?` for command lines, or an empty text. */
export function kindQuestion(named: NamedKind, catalog: Catalog, spell: (kind: Kind) => string = spellKind): string {
  const meant = meantKinds(named, catalog).map((kind) => `'${spell(kind)}'`);
  return meant.length === 0 ? '' : ` Did you mean ${listed(meant, 'or')}?`;
}

function spellKind({ group, kind }: Kind): string {
  return `${group}/${kind}`;
}

function spelled({ group, kind }: Kind, here: string): string {
  return group === here ? kind : `${group}/${kind}`;
}
