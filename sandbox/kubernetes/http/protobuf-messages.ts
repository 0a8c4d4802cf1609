/**
 * The messages that `kubectl create`, `kubectl auth` and other typed clients send as protocol buffers: field numbers of
 * `k8s.io/api/…/generated.proto`. Only what those clients fill in is here.
 */
export type FieldType =
  'string' | 'bytes' | 'integer' | 'boolean' | 'time' | { readonly message: string } | { readonly map: 'string' | 'bytes' };

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: true;
}

export type Message = Readonly<Record<number, Field>>;

const text = (name: string): Field => ({ name, type: 'string' });
const texts = (name: string): Field => ({ name, type: 'string', repeated: true });
const flag = (name: string): Field => ({ name, type: 'boolean' });
const integer = (name: string): Field => ({ name, type: 'integer' });
const time = (name: string): Field => ({ name, type: 'time' });
const map = (name: string, of: 'string' | 'bytes' = 'string'): Field => ({ name, type: { map: of } });
const one = (name: string, message: string): Field => ({ name, type: { message } });
const many = (name: string, message: string): Field => ({ name, type: { message }, repeated: true });

const METADATA = one('metadata', 'ObjectMeta');

export const MESSAGES: Readonly<Record<string, Message>> = {
  ObjectMeta: {
    1: text('name'),
    2: text('generateName'),
    3: text('namespace'),
    5: text('uid'),
    6: text('resourceVersion'),
    7: integer('generation'),
    8: time('creationTimestamp'),
    9: time('deletionTimestamp'),
    10: integer('deletionGracePeriodSeconds'),
    11: map('labels'),
    12: map('annotations'),
    13: many('ownerReferences', 'OwnerReference'),
    14: texts('finalizers'),
  },
  OwnerReference: {
    1: text('kind'),
    3: text('name'),
    4: text('uid'),
    5: text('apiVersion'),
    6: flag('controller'),
    7: flag('blockOwnerDeletion'),
  },
  Namespace: { 1: METADATA, 2: one('spec', 'NamespaceSpec'), 3: one('status', 'NamespaceStatus') },
  NamespaceSpec: { 1: texts('finalizers') },
  NamespaceStatus: { 1: text('phase') },
  Secret: { 1: METADATA, 2: map('data', 'bytes'), 3: text('type'), 4: map('stringData'), 5: flag('immutable') },
  ConfigMap: { 1: METADATA, 2: map('data'), 3: map('binaryData', 'bytes'), 4: flag('immutable') },
  ServiceAccount: { 1: METADATA, 3: many('imagePullSecrets', 'LocalObjectReference'), 4: flag('automountServiceAccountToken') },
  LocalObjectReference: { 1: text('name') },
  Role: { 1: METADATA, 2: many('rules', 'PolicyRule') },
  ClusterRole: { 1: METADATA, 2: many('rules', 'PolicyRule') },
  PolicyRule: { 1: texts('verbs'), 2: texts('apiGroups'), 3: texts('resources'), 4: texts('resourceNames'), 5: texts('nonResourceURLs') },
  RoleBinding: { 1: METADATA, 2: many('subjects', 'Subject'), 3: one('roleRef', 'RoleRef') },
  ClusterRoleBinding: { 1: METADATA, 2: many('subjects', 'Subject'), 3: one('roleRef', 'RoleRef') },
  Subject: { 1: text('kind'), 2: text('apiGroup'), 3: text('name'), 4: text('namespace') },
  RoleRef: { 1: text('apiGroup'), 2: text('kind'), 3: text('name') },
  SelfSubjectAccessReview: { 1: METADATA, 2: one('spec', 'AccessReviewSpec') },
  AccessReviewSpec: { 1: one('resourceAttributes', 'ResourceAttributes'), 2: one('nonResourceAttributes', 'NonResourceAttributes') },
  ResourceAttributes: {
    1: text('namespace'),
    2: text('verb'),
    3: text('group'),
    4: text('version'),
    5: text('resource'),
    6: text('subresource'),
    7: text('name'),
  },
  NonResourceAttributes: { 1: text('path'), 2: text('verb') },
  SelfSubjectRulesReview: { 1: METADATA, 2: one('spec', 'RulesReviewSpec') },
  RulesReviewSpec: { 1: text('namespace') },
  SelfSubjectReview: { 1: METADATA },
  DeleteOptions: {
    1: integer('gracePeriodSeconds'),
    2: one('preconditions', 'Preconditions'),
    3: flag('orphanDependents'),
    4: text('propagationPolicy'),
    5: texts('dryRun'),
  },
  Preconditions: { 1: text('uid'), 2: text('resourceVersion') },
};
