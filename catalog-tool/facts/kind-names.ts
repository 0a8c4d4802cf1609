import { hasMarker, markerArgument } from './markers';
import type { KindFacts } from '../../src/catalog';
import { isPreviewVersion, newestFirst } from '../../src/catalog';
import { elementAt } from '../../src/util/elements';
import type { GoStruct } from '../go/syntax';
import { pointed } from '../go/types';
import type { VersionPackages } from '../source/checkout';
import type { Method } from '../source/go-package';

/** A kind in one of its versions. */
export interface KindVersionSource {
  readonly struct: GoStruct;
  readonly packages: VersionPackages;
}

type CrdNames = Pick<KindFacts, 'plural' | 'singular' | 'shortNames' | 'categories'>;

/** The names of a kind's CRD. */
export function namesOf(kind: string, sources: readonly KindVersionSource[]): CrdNames {
  const singular = kind.toLowerCase();
  const marker = sources.flatMap(({ packages }) => packages.webhookMarkers).find((each) => each.includes(`-${singular},`));
  const plural = marker && /(?:^|,)resources=([a-z0-9]+)/.exec(marker)?.[1];
  if (plural === undefined) throw new Error(`${kind}: no webhook names its plural`);
  const { comment } = elementAt(sources, 0).struct;
  const shortNames = markerArgument(comment, 'resource', 'shortName');
  const categories = markerArgument(comment, 'resource', 'categories');
  return { plural, singular, ...(shortNames.length > 0 ? { shortNames } : {}), ...(categories.length > 0 ? { categories } : {}) };
}

/** The newest stable version; the newest preview if there is no stable one. */
export function latestOf(versions: readonly string[]): string {
  const sorted = [...versions].sort(newestFirst);
  return sorted.find((version) => !isPreviewVersion(version)) ?? elementAt(sorted, 0);
}

/** The stored version, to which all others are converted. */
export function storageVersionOf(kind: string, sources: readonly KindVersionSource[]): string {
  const marked = sources.find(({ struct }) => hasMarker(struct.comment, 'storageversion'));
  if (marked) return marked.packages.version;
  for (const { packages } of sources) {
    const hub = hubOf(packages.types.method(kind, 'ConvertTo'));
    if (hub !== undefined) return hub;
  }
  throw new Error(`${kind}: no version says which one is stored`);
}

/** The version in `hub.(*storage.Vault)`, from the path of the imported package. */
function hubOf(convertTo: Method | undefined): string | undefined {
  for (const statement of convertTo?.body ?? []) {
    const value = statement.is === 'assign' ? statement.values[0] : undefined;
    const type = value?.is === 'wrapped' && value.type ? pointed(value.type) : undefined;
    if (type?.is !== 'name' || type.package === undefined) continue;
    const version = /\/([^/]+)\/storage$/.exec(convertTo!.imports[type.package] ?? '')?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}
