import { openApiSchema } from './crd-schema';
import type { CustomResourceConversion, CustomResourceDefinition, CustomResourceDefinitionVersion, PrinterColumn } from './crd-types';
import type { Kind, KindVersion } from './kind';
import { elementAt } from '../util/elements';

export * from './crd-types';
export { openApiSchema } from './crd-schema';

/** The label by which a controller finds these CRDs. */
export const CRD_NAME_LABEL = 'app.kubernetes.io/name';
export const CRD_NAME_LABEL_VALUE = 'azure-service-operator';
/** The label that determines whether an installed CRD is updated. */
export const CRD_VERSION_LABEL = 'app.kubernetes.io/version';

const READY = ".status.conditions[?(@.type=='Ready')]";

/** The columns that `kubectl get` prints, the same for every kind and version. */
export const PRINTER_COLUMNS: readonly PrinterColumn[] = [
  { name: 'Ready', type: 'string', jsonPath: `${READY}.status` },
  { name: 'Severity', type: 'string', jsonPath: `${READY}.severity` },
  { name: 'Reason', type: 'string', jsonPath: `${READY}.reason` },
  { name: 'Message', type: 'string', jsonPath: `${READY}.message` },
];

export interface CrdOptions {
  /** Names of the versions to serve, e.g. `['v1api20230131']`; default: all of the catalog. */
  readonly versions?: readonly string[];
  /** The version to store; default: the catalog's storage version if it is served, else the newest served version. */
  readonly storage?: string;
  /** Value of the label `app.kubernetes.io/version`, e.g. `v2.20.0`; default: no such label. */
  readonly release?: string;
  /** Further labels; the labels of this function take precedence. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The conversion between versions; default: `None`, which changes only `apiVersion`. */
  readonly conversion?: CustomResourceConversion;
  /** Write a version's schema only on first access (for hundreds of CRDs in memory at once); default: immediately. */
  readonly lazySchemas?: boolean;
}

/**
 * The CustomResourceDefinition of a kind, ready for `kubectl apply`.
 *
 * @throws Error when the kind lacks a version of the options.
 */
export function crdManifest(kind: Kind, options: CrdOptions = {}): CustomResourceDefinition {
  const versions = servedVersions(kind, options.versions);
  const storage = storageVersion(kind, versions, options.storage);
  const { plural, singular, shortNames, categories } = kind.facts;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: kind.crdName,
      labels: {
        ...options.labels,
        [CRD_NAME_LABEL]: CRD_NAME_LABEL_VALUE,
        ...(options.release !== undefined && { [CRD_VERSION_LABEL]: options.release }),
      },
      ...(options.annotations && { annotations: options.annotations }),
    },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        ...(shortNames && shortNames.length > 0 && { shortNames }),
        ...(categories && categories.length > 0 && { categories }),
      },
      conversion: options.conversion ?? { strategy: 'None' },
      versions: versions.map((version) => crdVersion(version, version.name === storage, options.lazySchemas ?? false)),
    },
  };
}

function crdVersion(version: KindVersion, storage: boolean, lazy: boolean): CustomResourceDefinitionVersion {
  return {
    name: version.name,
    served: true,
    storage,
    ...(version.facts.deprecated && { deprecated: true }),
    additionalPrinterColumns: PRINTER_COLUMNS,
    subresources: { status: {} },
    schema: lazy ? lazySchema(version) : { openAPIV3Schema: openApiSchema(version) },
  };
}

/** The property is enumerable, so that serializing the manifest includes it. */
function lazySchema(version: KindVersion): NonNullable<CustomResourceDefinitionVersion['schema']> {
  let written: CustomResourceDefinitionVersion['schema'];
  const schema = {};
  Object.defineProperty(schema, 'openAPIV3Schema', {
    enumerable: true,
    get: () => (written ??= { openAPIV3Schema: openApiSchema(version) }).openAPIV3Schema,
  });
  return schema;
}

function servedVersions(kind: Kind, names: readonly string[] | undefined): KindVersion[] {
  if (names?.length === 0) {
    throw new Error(`CRD of ${kind.group}/${kind.kind}: no version chosen; the catalog has ${kind.versionNames.join(', ')}`);
  }
  for (const name of names ?? []) {
    if (!kind.version(name)) {
      throw new Error(`CRD of ${kind.group}/${kind.kind}: there is no version ${name}; the catalog has ${kind.versionNames.join(', ')}`);
    }
  }
  return kind.versionNames.filter((name) => !names || names.includes(name)).map((name) => kind.version(name)!);
}

function storageVersion(kind: Kind, versions: readonly KindVersion[], wanted: string | undefined): string {
  const names = versions.map((version) => version.name);
  if (wanted !== undefined && !names.includes(wanted)) {
    throw new Error(
      `CRD of ${kind.group}/${kind.kind}: the storage version ${wanted} is not among the served ones; choose one of ${names.join(', ')}`,
    );
  }
  return wanted ?? (names.includes(kind.facts.storageVersion) ? kind.facts.storageVersion : elementAt(names, 0));
}
