import type { ApiFacts } from './api-facts';
import { structuralSchema, type SchemaNote } from './structural-schema';
import { APPLY_SET_PARENT_TYPE } from '../../src/azure/annotations';
import { omitUndefined, struct, type Struct } from '../../src/util/records';
import { CONVERSION_PATH, webhookService } from '../webhooks/webhook-names';

/** The CustomResourceDefinition of a kind, and what is to be said of its schema. */
export interface MadeCrd {
  readonly manifest: Struct;
  readonly problems: readonly SchemaNote[];
  readonly advice: readonly SchemaNote[];
}

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer', format: 'int64' };
/** A value of any type. */
const ANY = { 'x-kubernetes-preserve-unknown-fields': true };

/** metav1.Condition: https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#condition-v1-meta */
const CONDITION = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { ...TEXT, maxLength: 316 },
    status: { ...TEXT, enum: ['True', 'False', 'Unknown'] },
    observedGeneration: { ...INTEGER, minimum: 0 },
    lastTransitionTime: { ...TEXT, format: 'date-time' },
    reason: { ...TEXT, minLength: 1, maxLength: 1024 },
    message: { ...TEXT, maxLength: 32_768 },
  },
};

const OBJECT = {
  type: 'object',
  description: 'An object that the composer has made, or is about to make. The composer deletes by this list: do not edit it.',
  required: ['kind', 'name'],
  properties: {
    group: { ...TEXT, description: 'Group; empty for the core group.' },
    kind: TEXT,
    namespace: { ...TEXT, description: 'Namespace; empty for cluster-scoped objects.' },
    name: TEXT,
    uid: TEXT,
    wave: { ...INTEGER, description: 'Order: objects of the highest wave are deleted first.' },
    ready: { type: 'boolean' },
    reason: { ...TEXT, description: 'Why the object is not ready.' },
    message: TEXT,
  },
  // The composer's own notes.
  ...ANY,
};

const STATUS = {
  type: 'object',
  description: 'The state of the claim. The composer writes it.',
  properties: {
    observedGeneration: { ...INTEGER, description: 'Generation of the claim that the status is of.' },
    definition: { ...TEXT, description: 'Revision of the definition that composed the objects.' },
    failedDefinition: { ...TEXT, description: 'Revision of the definition with which the claim began to fail.' },
    conditions: {
      'type': 'array',
      'description': 'Synced: the objects are as the claim asks. Ready: all of them are ready.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      'items': CONDITION,
    },
    outputs: { type: 'object', description: 'Values that the definition gives to users of the claim.', additionalProperties: ANY },
    links: { type: 'object', description: 'Links for people.', additionalProperties: TEXT },
    objects: { type: 'array', description: 'All objects of the claim.', items: OBJECT },
  },
};

const CONDITION_COLUMNS = [
  { name: 'Synced', type: 'string', jsonPath: '.status.conditions[?(@.type=="Synced")].status' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/**
 * The CustomResourceDefinition of a kind. It must not be used if there are problems.
 * @param composer name and namespace of the composer that converts claims between versions; needed where there are several
 */
export function crdManifest(facts: ApiFacts, composer?: { readonly name: string; readonly namespace: string }): MadeCrd {
  const { group, kind, plural, shortNames, categories, namespaced, versions, description } = facts;
  const columns = facts.columns.map(({ name, jsonPath, type = 'string', isWide }) =>
    omitUndefined({ name, type, jsonPath, priority: isWide === true ? 1 : undefined }));
  const made = versions.map(({ name, schema, deprecationWarning }, index) => {
    const { schema: spec, problems, advice } = structuralSchema(schema);
    const version = omitUndefined({
      name,
      served: true,
      storage: index === 0,
      deprecated: deprecationWarning === undefined ? undefined : true,
      deprecationWarning,
      subresources: { status: {} },
      additionalPrinterColumns: [...columns, ...CONDITION_COLUMNS],
      schema: { openAPIV3Schema: claimSchema(spec, description) },
    });
    const inVersion = (notes: readonly SchemaNote[]) =>
      notes.map(({ path, message }) => ({ path: `${kind} ${name}: ${path}`, message }));
    return { version, problems: inVersion(problems), advice: inVersion(advice) };
  });
  const names = omitUndefined({
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: shortNames.length > 0 ? shortNames : undefined,
    categories: categories.length > 0 ? categories : undefined,
  });
  const manifest = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { [APPLY_SET_PARENT_TYPE]: 'true' } },
    spec: { group, names, scope: namespaced ? 'Namespaced' : 'Cluster', versions: made.map(({ version }) => version), ...(versions.length > 1 && composer && { conversion: conversionBy(composer) }) },
  };
  return { manifest, problems: made.flatMap(({ problems }) => problems), advice: made.flatMap(({ advice }) => advice) };
}

/** The composer writes the authority of its certificate. */
function conversionBy({ name, namespace }: { readonly name: string; readonly namespace: string }): Struct {
  const service = { namespace, name: webhookService(name), path: CONVERSION_PATH, port: 443 };
  return { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { service } } };
}

function claimSchema(spec: Struct, description: string | undefined): Struct {
  const needsSpec = Array.isArray(spec.required) && spec.required.length > 0;
  return omitUndefined({
    type: 'object',
    description,
    required: needsSpec ? ['spec'] : undefined,
    properties: {
      apiVersion: TEXT,
      kind: TEXT,
      metadata: { type: 'object' },
      // The members' defaults are set in an object that there is.
      spec: needsSpec || hasDefault(spec) ? spec : { ...spec, default: {} },
      status: STATUS,
    },
  });
}

function hasDefault(spec: Struct): boolean {
  return struct(spec)?.default !== undefined;
}
