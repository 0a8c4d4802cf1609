import { isSetByAzure, type Catalog, type KindVersion } from '../../src/catalog';
import { isRecord, type JsonObject, memberIgnoringCase } from '../../src/util/records';

/** Values that a person would not write: those that Azure takes anyway, and those that only Azure writes. */
export interface Unsaid {
  /** Whether a property of a type goes without saying when it has a value. */
  property(version: KindVersion, type: string, name: string, value: unknown): boolean;
  /** A spec without what Azure computes from the rest of it. */
  computed(version: KindVersion, spec: JsonObject, answer: unknown): JsonObject;
}

/** Every value is written. */
export const NOTHING_UNSAID: Unsaid = { property: () => false, computed: (_, spec) => spec };

/**
 * Read-only properties that the catalog documents, and names that Azure computes.
 * @param defaults whether the defaults that the catalog documents go without saying, too
 */
export function documentedUnsaid(catalog: Catalog, { defaults }: { readonly defaults: boolean }): Unsaid {
  return {
    property: (version, type, name, value) => {
      const doc = catalog.docs(version.kind.service)[type]?.[name];
      if (doc === undefined) return false;
      if (isSetByAzure(doc)) return true;
      return defaults && doc.default !== undefined && isScalar(value) && String(value).toLowerCase() === doc.default.toLowerCase();
    },
    computed: (version, spec, answer) => {
      const { service, kind } = version.kind;
      return service === 'containerservice' && kind === 'ManagedCluster' ? withoutNodeGroup(spec, answer) : spec;
    },
  };
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * A cluster without the group of its nodes and the identity of its kubelets, where both are the ones that AKS makes by itself.
 * @see https://learn.microsoft.com/azure/aks/faq
 */
function withoutNodeGroup(spec: JsonObject, answer: unknown): JsonObject {
  const [group, name] = ['/resourcegroups/', '/managedclusters/'].map((word) => segmentAfter(answer, word));
  const location = isRecord(answer) ? memberIgnoringCase(answer, 'location') : undefined;
  const nodeGroup = `MC_${group}_${name}_${String(location)}`.slice(0, 80).toLowerCase();
  const { nodeResourceGroup, identityProfile, ...rest } = spec;
  if (typeof nodeResourceGroup === 'string' && nodeResourceGroup.toLowerCase() !== nodeGroup) return spec;
  const own = `/resourcegroups/${nodeGroup}/providers/microsoft.managedidentity/userassignedidentities/${name}-agentpool`;
  const isOwn = JSON.stringify(identityProfile ?? '').toLowerCase().includes(`${own.toLowerCase()}"`);
  return isOwn || identityProfile === undefined ? rest : { ...rest, identityProfile };
}

function segmentAfter(answer: unknown, word: string): string {
  const id = isRecord(answer) ? memberIgnoringCase(answer, 'id') : undefined;
  const text = typeof id === 'string' ? id : '';
  const at = text.toLowerCase().indexOf(word);
  return at < 0 ? '' : text.slice(at + word.length).split('/')[0]!;
}
