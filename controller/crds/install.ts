import { matchingKinds } from './patterns';
import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import type { Logger } from '../../runtime/log/log';
import type { Catalog, Kind } from '../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE, crdManifest } from '../../src/catalog/crd';
import { caInjection, webhookConversion } from '../../src/catalog/webhook-configurations';
import { SettingsError } from '../settings';

export interface CrdInstallation {
  readonly client: KubernetesClient & Pick<KubernetesListWatch, 'list'>;
  readonly catalog: Catalog;
  readonly logger: Logger;
  readonly namespace: string;
  readonly pattern: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Version of this program: CRDs of another version are updated. */
  readonly version: string;
  /** Undefined: no webhooks are served, so no conversion is possible. */
  readonly webhooks?: { readonly certManager: boolean } | undefined;
}

const PAGE = 250;
const TRIES = 3;

/**
 * Creates the CRDs that the pattern names, and updates existing ones (docs/spec/crds.md#installation). Several replicas may do so at the
 * same time: each write is bound to the version that was read, and a later replica finds all CRDs up to date.
 *
 * @throws SettingsError when there is nothing to install; KubernetesError when the cluster refuses
 */
export async function installCrds(options: CrdInstallation): Promise<readonly string[]> {
  const { client, catalog, pattern, logger } = options;
  const existing = new Set(await installedNames(client));
  const kinds = catalog.allKinds;
  const wanted = new Set(matchingKinds(pattern, kinds));
  const goal = kinds.filter((kind) => wanted.has(kind) || existing.has(kind.crdName));
  if (goal.length === 0) {
    throw new SettingsError(
      'No existing CRDs in cluster and no --crd-pattern specified: name the kinds, e.g. --crd-pattern "resources.azure.com/*"',
    );
  }
  const known = new Set(kinds.map(({ crdName }) => crdName));
  const foreign = [...existing].filter((name) => !known.has(name));
  if (foreign.length > 0) logger.info({ crds: foreign }, 'CRDs that this program does not know are left alone');
  const written: string[] = [];
  for (const kind of goal) if (await bringUpToDate(options, kind)) written.push(kind.crdName);
  logger.info({ crds: goal.length, written: written.length }, 'CRDs are up to date');
  return written;
}

/** All labelled CRDs of the family, from any installer. */
async function installedNames(client: CrdInstallation['client']): Promise<string[]> {
  const names: string[] = [];
  for (let token: string | undefined, first = true; first || token; first = false) {
    const page = await client.list(CRD_KIND, {
      labelSelector: `${CRD_NAME_LABEL}=${CRD_NAME_LABEL_VALUE}`,
      metadataOnly: true,
      limit: PAGE,
      continue: token,
    });
    names.push(...page.items.map(({ metadata }) => metadata.name));
    token = page.continue;
  }
  return names;
}

async function bringUpToDate(options: CrdInstallation, kind: Kind): Promise<boolean> {
  const { client } = options;
  for (let attempt = 1; ; attempt += 1) {
    const installed = await client.get(CRD_KIND, kind.crdName);
    const wanted = manifestOf(options, kind);
    if (installed && isUpToDate(installed, wanted)) return false;
    try {
      if (installed) await client.replace(CRD_KIND, merged(installed, wanted, options));
      else await client.create(CRD_KIND, wanted);
      return true;
    } catch (error) {
      // Another replica was faster: read again.
      if (!(error instanceof KubernetesError && error.status === 409) || attempt >= TRIES) throw error;
    }
  }
}

function manifestOf({ namespace, labels, version, webhooks }: CrdInstallation, kind: Kind): KubernetesObject {
  const severalVersions = kind.versionNames.length > 1;
  const manifest = crdManifest(kind, {
    release: releaseLabel(version),
    labels,
    ...(webhooks && severalVersions
      ? { conversion: webhookConversion({ namespace }), annotations: caInjection({ namespace, certManager: webhooks.certManager }) }
      : {}),
  });
  const { spec, ...rest } = manifest;
  return { ...rest, spec: { ...spec } };
}

/** Differs from ASO's label, since CRDs of ASO's releases are different ones. */
export function releaseLabel(version: string): string {
  return `cdk8s-aso-${version}`.replaceAll(/[^\w.-]/g, '-').slice(0, 63);
}

/** Compares labels and annotations, as ASO does: an edited schema stays until the next release. */
function isUpToDate({ metadata }: KubernetesObject, wanted: KubernetesObject): boolean {
  const within = (has: Readonly<Record<string, string>> = {}, wants: Readonly<Record<string, string>> = {}) =>
    Object.entries(wants).every(([key, value]) => has[key] === value);
  return within(metadata.labels, wanted.metadata.labels) && within(metadata.annotations, wanted.metadata.annotations);
}

interface Conversion {
  readonly strategy?: string;
  readonly webhook?: { readonly clientConfig?: { readonly caBundle?: string } };
}

/** Keeps labels and annotations of other owners, and an authority that was filled in. */
function merged(installed: KubernetesObject, wanted: KubernetesObject, { webhooks }: CrdInstallation): KubernetesObject {
  const before = installed.spec?.conversion as Conversion | undefined;
  const after = wanted.spec?.conversion as Conversion | undefined;
  const caBundle = before?.webhook?.clientConfig?.caBundle;
  const conversion = after?.strategy === 'Webhook' && caBundle !== undefined
    ? { ...after, webhook: { ...after.webhook, clientConfig: { ...after.webhook?.clientConfig, caBundle } } }
    // An existing conversion webhook stays if this program has none.
    : !webhooks && before?.strategy === 'Webhook' ? before : after;
  const { metadata } = installed;
  return {
    ...installed,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...wanted.metadata.labels },
      annotations: { ...metadata.annotations, ...wanted.metadata.annotations },
    },
    spec: { ...wanted.spec, conversion },
  };
}
