import { apiVersionIn, type VersionFacts } from '../../src/catalog';

/** The text that Azure Service Operator writes into the description of a version: the API that it was generated from. */
export function armFactsIn(description: string | undefined, version: string): Pick<VersionFacts, 'arm' | 'scope'> {
  const uri = /ARM URI:\s*(\/\S+)/.exec(description ?? '')?.[1];
  const type = uri === undefined ? undefined : armTypeIn(uri);
  const apiVersion =
    /Generated from:\s*\S*\/(?:stable|preview)\/(\d{4}-\d{2}-\d{2}(?:-preview)?)\//.exec(description ?? '')?.[1] ?? apiVersionIn(version);
  if (uri === undefined || type === undefined || apiVersion === undefined) return {};
  const scope = scopeOf(uri, type);
  return { arm: { type, apiVersion, uri }, ...(scope === undefined ? {} : { scope }) };
}

/** `Owner is expected to be a reference to a resources.azure.com/ResourceGroup resource` */
export function ownerIn(description: string | undefined): { readonly group: string; readonly kind: string } | undefined {
  const [, group, kind] = /reference to an? ([a-z0-9.-]+)\/([A-Z][A-Za-z0-9]*) resource/.exec(description ?? '') ?? [];
  return group === undefined || kind === undefined ? undefined : { group, kind };
}

/**
 * `…/providers/Microsoft.Storage/storageAccounts/{accountName}/blobServices/default` → `Microsoft.Storage/storageAccounts/blobServices`.
 */
function armTypeIn(uri: string): string | undefined {
  const [, provider, path] = /^.*\/providers\/([^/{}]+)\/(.+)$/is.exec(uri) ?? [];
  if (provider === undefined || path === undefined) {
    return /^\/subscriptions\/\{[^/]+\}\/resource[gG]roups\/\{[^/]+\}$/.test(uri) ? 'Microsoft.Resources/resourceGroups' : undefined;
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const types = segments.filter((_, index) => index % 2 === 0);
  return segments.length % 2 === 0 && types.every((type) => /^[A-Za-z]\w*$/.test(type)) ? [provider, ...types].join('/') : undefined;
}

function scopeOf(uri: string, type: string): VersionFacts['scope'] {
  if (type === 'Microsoft.Resources/resourceGroups') return 'location';
  if (/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\//i.test(uri)) return 'resourcegroup';
  return /^\/providers\//i.test(uri) ? 'tenant' : 'extension';
}
