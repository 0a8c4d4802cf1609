import { hubOf } from './aso-conversion';
import { NAMESPACE, SERVING_CERTIFICATE, WEBHOOK_SERVICE } from './aso-names';
import type { AsoWebhooks } from './aso-webhooks';
import type { Kind, KindVersion } from '../../../src/catalog';
import { crdManifest, openApiSchema, type CustomResourceDefinition, type JsonSchema } from '../../../src/catalog/crd';

/**
 * CRDs as ASO publishes them. The rules were seen in `azureserviceoperator_customresourcedefinitions_v2.20.0.yaml` of the release, and in
 * `v2/stolostron/crds` of stolostron/azure-service-operator (294 CRDs, 773 storage versions); `scripts/aso-stand-in.ts` compares them with
 * such a file:
 *
 * - Each version of a kind that has ARM has a storage version beside it. All versions are served, and the hub's storage version is stored.
 * - Kinds without ARM (`User`, `SecurityGroup`) have the version `v1` alone.
 * - Conversion is by webhook, also where a CRD has one version.
 * - A storage version has the properties of its version, all types, no enum, no bounds and no default. Objects have `$propertyBag`; the
 *   spec has `originalVersion`. It requires the references that its version requires (`owner`, and 16 others), and what references require.
 */
export const ASO_RELEASE = 'v2.20.0';

/** Sets of properties of the types that ASO shares among all kinds: they are stored as they are. */
const SHARED = new Set([
  'annotations,key,labels,name',
  'annotations,key,labels,name,value',
  'armId,group,kind,name',
  'armId,group,kind,name,wellKnownName',
  'armId,name',
  'key,name',
  'lastTransitionTime,message,observedGeneration,reason,severity,status,type',
]);
const BAG: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

export const storageVersionOf = (kind: Kind): string => (isHandwritten(kind) ? kind.facts.storageVersion : `${hubOf(kind)}storage`);

/** A kind that ASO reconciles without ARM. */
export function isHandwritten(kind: Kind): boolean {
  return kind.versionNames.every((name) => kind.version(name)!.facts.handwritten);
}

export function asoCrd(kind: Kind, { port, caBundle }: Pick<AsoWebhooks, 'port' | 'caBundle'>): CustomResourceDefinition {
  const { metadata, spec, ...rest } = crdManifest(kind);
  const versions = isHandwritten(kind) ? spec.versions : spec.versions.flatMap((version) => [
    { ...version, storage: false },
    {
      ...version,
      name: `${version.name}storage`,
      storage: version.name === hubOf(kind),
      schema: { openAPIV3Schema: storageSchema(kind.version(version.name)!) },
    },
  ]);
  const service = { namespace: NAMESPACE, name: WEBHOOK_SERVICE, path: '/convert', port };
  const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { service, caBundle } } } as const;
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, 'app.kubernetes.io/version': ASO_RELEASE },
      annotations: { 'cert-manager.io/inject-ca-from': `${NAMESPACE}/${SERVING_CERTIFICATE}`, 'controller-gen.kubebuilder.io/version': 'v0.18.0' },
    },
    spec: { ...spec, versions, conversion },
  };
}

/** The schema of the storage version beside a version. */
export function storageSchema(version: KindVersion): JsonSchema {
  const schema = openApiSchema(version);
  const { spec = {}, status = {} } = schema.properties ?? {};
  const { properties, ...stored } = relaxed(spec);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      spec: { ...stored, properties: { ...properties, originalVersion: { type: 'string' } } },
      status: relaxed(status),
    },
  };
}

function relaxed(schema: JsonSchema, property = ''): JsonSchema {
  const { type, format, items, properties, additionalProperties, required = [] } = schema;
  if (properties && isShared(schema, property)) return schema;
  const references = required.filter((name) => isReference(properties?.[name]));
  return {
    ...(type && { type }),
    ...(format !== undefined && { format }),
    ...(schema['x-kubernetes-preserve-unknown-fields'] && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(references.length > 0 && { required: references }),
    ...(items && { items: relaxed(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: relaxed(additionalProperties) }),
    ...(type === 'object' && additionalProperties === undefined && { properties: relaxedProperties(properties) }),
  };
}

function relaxedProperties(properties: JsonSchema['properties'] = {}): NonNullable<JsonSchema['properties']> {
  return { ...Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, relaxed(each, name)])), $propertyBag: BAG };
}

/** A type that ASO shares among all kinds. A property with a name alone is a reference to a Secret, but for the `sku` of some kinds. */
function isShared({ properties = {}, required }: JsonSchema, property: string): boolean {
  const names = Object.keys(properties).sort().join();
  return SHARED.has(names) || (names === 'name' && !['', 'sku'].includes(property) && required?.length === 1 && properties.name?.enum === undefined);
}

/** A reference to a resource: by name or by ARM id. */
function isReference(schema: JsonSchema | undefined): boolean {
  return schema?.properties?.armId !== undefined;
}
