import { normalized, parsed } from './normalized';
import type { Connection, HttpRequest } from '../../engine/kubernetes';

/** A server's answer, without the parts that differ between any two runs. */
export interface Answer {
  readonly status: number;
  readonly warnings?: string;
  readonly body: unknown;
}

const GROUP = '/apis/resources.azure.com/v1api20200601';
const NS = 'answers';
const groups = `${GROUP}/namespaces/${NS}/resourcegroups`;
const identities = `/apis/managedidentity.azure.com/v1api20230131/namespaces/${NS}/userassignedidentities`;
const core = (plural: string) => `/api/v1/namespaces/${NS}/${plural}`;

const resourceGroup = (name: string, rest: object = {}, spec: object = { location: 'uksouth' }) => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  ...rest,
  metadata: { name, ...(rest as { metadata?: object }).metadata },
  spec,
});
const post = (path: string, object: unknown, query?: HttpRequest['query']): HttpRequest => ({
  method: 'POST',
  path,
  ...(query && { query }),
  body: JSON.stringify(object),
});
const put = (path: string, object: unknown): HttpRequest => ({ method: 'PUT', path, body: JSON.stringify(object) });
const get = (path: string, query?: HttpRequest['query'], accept?: string): HttpRequest => ({
  method: 'GET',
  path,
  ...(query && { query }),
  ...(accept === undefined ? {} : { accept }),
});
const remove = (path: string, options?: object): HttpRequest => ({
  method: 'DELETE',
  path,
  ...(options && { body: JSON.stringify(options) }),
});
const patch = (path: string, body: unknown, type = 'application/merge-patch+json', query?: HttpRequest['query']): HttpRequest => ({
  method: 'PATCH',
  path,
  ...(query && { query }),
  contentType: type,
  body: JSON.stringify(body),
});
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const configMap = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });
const secret = (name: string, rest: object = {}) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...rest });
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Requests in order: what both servers have to answer alike. */
export const dialogue: readonly (readonly [title: string, request: HttpRequest])[] = [
  ['a namespace', post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS, labels: { team: 'a' } } })],
  ['a namespace again', post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } })],
  ['a namespace with a bad name', post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'A_b' } })],

  ['an object', post(groups, resourceGroup('one', { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }))],
  ['an object again', post(groups, resourceGroup('one'))],
  ['an object in a namespace that is not there', post(`${GROUP}/namespaces/nowhere/resourcegroups`, resourceGroup('one'))],
  ['an object of another namespace', post(groups, resourceGroup('two', { metadata: { namespace: 'other' } }))],
  ['an object of another kind', post(groups, resourceGroup('two', { kind: 'StorageAccount' }))],
  ['an object of another version', post(groups, resourceGroup('two', { apiVersion: 'resources.azure.com/v1' }))],
  ['an object without a name', post(groups, { ...resourceGroup('x'), metadata: {} })],
  ['a bad name', post(groups, resourceGroup('A_b'))],
  ['a long name', post(groups, resourceGroup('a'.repeat(254)))],
  ['a bad label', post(groups, resourceGroup('two', { metadata: { labels: { 'a b': 'c d' } } }))],
  ['a bad annotation', post(groups, resourceGroup('two', { metadata: { annotations: { 'a b': 'c' } } }))],
  ['a bad finalizer', post(groups, resourceGroup('two', { metadata: { finalizers: ['a b'] } }))],
  [
    'a bad owner',
    post(groups, resourceGroup('two', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: '', uid: '' }] } })),
  ],
  ['no JSON', { method: 'POST', path: groups, body: '{' }],
  ['no object', { method: 'POST', path: groups, body: '[]' }],
  ['a label that is no text', post(groups, resourceGroup('two', { metadata: { labels: { a: 1 } } }))],
  ['a missing property', post(groups, resourceGroup('two', {}, {}))],
  ['a property of a wrong type', post(groups, resourceGroup('two', {}, { location: 1, tags: { a: 2 } }))],
  [
    'nulls',
    post(groups, resourceGroup('nulls', {}, { location: 'uksouth', azureName: null, tags: { a: null, b: 'c' }, owner: null }), {
      dryRun: 'All',
    }),
  ],
  ['null for what is required', post(groups, resourceGroup('nulls', {}, { location: null }))],
  [
    'several unknown properties',
    post(groups, resourceGroup('two', {}, { z: 1, location: 'uksouth', operatorSpec: { y: 1 }, b: 1 }), { fieldValidation: 'Strict' }),
  ],
  [
    'a wrong type and what follows from it',
    post(`/apis/storage.azure.com/v1api20230101/namespaces/${NS}/storageaccounts`, {
      apiVersion: 'storage.azure.com/v1api20230101',
      kind: 'StorageAccount',
      metadata: { name: 'sa' },
      spec: { kind: 7, location: 'uksouth', owner: { name: 'one' }, sku: { name: 'Standard_LRS' } },
    }),
  ],
  ['a spec that is no object', post(groups, { ...resourceGroup('two'), spec: 'x' })],
  [
    'an unknown property, strictly',
    post(groups, resourceGroup('two', {}, { location: 'uksouth', colour: 'red', other: 1 }), { fieldValidation: 'Strict' }),
  ],
  [
    'an unknown property, with a warning',
    post(groups, resourceGroup('two', {}, { location: 'uksouth', colour: 'red' }), { fieldValidation: 'Warn' }),
  ],
  [
    'an unknown property, ignored',
    post(groups, resourceGroup('three', {}, { location: 'uksouth', colour: 'red' }), { fieldValidation: 'Ignore' }),
  ],
  ['an unknown property, by default', post(groups, resourceGroup('four', {}, { location: 'uksouth', colour: 'red' }))],
  ['a dry run', post(groups, resourceGroup('dry'), { dryRun: 'All' })],
  ['after the dry run', get(`${groups}/dry`)],
  ['a bad dry run', post(groups, resourceGroup('dry'), { dryRun: 'Some' })],
  ['a bad field validation', post(groups, resourceGroup('dry'), { fieldValidation: 'Some' })],

  [
    'enum, pattern, length',
    post(`/apis/storage.azure.com/v1api20230101/namespaces/${NS}/storageaccounts`, {
      apiVersion: 'storage.azure.com/v1api20230101',
      kind: 'StorageAccount',
      metadata: { name: 'sa' },
      spec: {
        azureName: 'A',
        kind: 'X',
        location: 'uksouth',
        owner: { name: 'one', armId: 'x' },
        sku: {},
        networkAcls: { ipRules: [1] },
        isHnsEnabled: 'yes',
      },
    }),
  ],
  [
    'defaults',
    post(`/apis/dbforpostgresql.azure.com/v1/namespaces/${NS}/users`, {
      apiVersion: 'dbforpostgresql.azure.com/v1',
      kind: 'User',
      metadata: { name: 'user' },
      spec: {
        owner: { name: 'server' },
        localUser: { serverAdminUsername: 'admin', serverAdminPassword: { name: 'a', key: 'b' }, password: { name: 'a', key: 'c' } },
      },
    }),
  ],
  ['what is missing', get(`${groups}/missing`)],
  ['a kind that is not there', get(`${GROUP}/namespaces/${NS}/nothing`)],
  ['a version that is not there', get('/apis/resources.azure.com/v9/resourcegroups')],
  ['a group that is not there', get('/apis/nothing.azure.com/v1/resourcegroups')],
  ['a path that is not there', get('/nothing')],

  ['without a resourceVersion', put(`${groups}/one`, resourceGroup('one', {}, { location: 'ukwest' }))],
  ['with an old resourceVersion', put(`${groups}/one`, resourceGroup('one', { metadata: { resourceVersion: '1' } }))],
  ['with a bad resourceVersion', put(`${groups}/one`, resourceGroup('one', { metadata: { resourceVersion: 'x' } }))],
  ['with another name', put(`${groups}/one`, resourceGroup('two'))],
  ['with another uid', patch(`${groups}/one`, { metadata: { uid: 'other' } })],
  ['what is not there', put(`${groups}/missing`, resourceGroup('missing'))],
  ['a merge patch', patch(`${groups}/one`, { metadata: { labels: { a: null, e: 'f' } }, spec: { tags: { x: 'y' } } })],
  ['a merge patch that changes nothing', patch(`${groups}/one`, { metadata: { labels: { e: 'f' } } })],
  ['a merge patch of the status by the main resource', patch(`${groups}/one`, { status: { conditions: [] } })],
  ['a merge patch that is refused', patch(`${groups}/one`, { spec: { location: null } })],
  ['a merge patch that is no object', patch(`${groups}/one`, 'x')],
  ['a merge patch of what is not there', patch(`${groups}/missing`, {})],
  [
    'a JSON patch',
    patch(
      `${groups}/one`,
      [
        { op: 'test', path: '/spec/location', value: 'uksouth' },
        { op: 'add', path: '/metadata/annotations/g', value: 'h' },
      ],
      JSON_PATCH,
    ),
  ],
  ['a JSON patch whose test fails', patch(`${groups}/one`, [{ op: 'test', path: '/spec/location', value: 'x' }], JSON_PATCH)],
  ['a JSON patch of what is not there', patch(`${groups}/one`, [{ op: 'remove', path: '/spec/nothing' }], JSON_PATCH)],
  ['a JSON patch of an unknown operation', patch(`${groups}/one`, [{ op: 'jump', path: '/spec' }], JSON_PATCH)],
  ['a JSON patch that is no list', patch(`${groups}/one`, {}, JSON_PATCH)],
  ['a strategic merge patch', patch(`${groups}/one`, {}, 'application/strategic-merge-patch+json')],
  ['an unknown patch', patch(`${groups}/one`, {}, 'text/plain')],
  [
    'the status',
    patch(`${groups}/one/status`, {
      spec: { location: 'elsewhere' },
      metadata: { labels: { no: 'no' } },
      status: {
        id: 'x',
        colour: 'red',
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 },
        ],
      },
    }),
  ],
  ['a bad status', patch(`${groups}/one/status`, { status: { conditions: [{ type: 'Ready', lastTransitionTime: 'x' }] } })],
  ['the status of what is not there', patch(`${groups}/missing/status`, { status: {} })],
  ['the object with status', get(`${groups}/one`)],
  ['the status as such', get(`${groups}/one/status`)],
  ['a subresource that is not there', get(`${groups}/one/scale`)],
  [
    'apply',
    patch(`${groups}/applied`, resourceGroup('applied', {}, { location: 'uksouth', tags: { a: 'b' } }), APPLY, { fieldManager: 'first' }),
  ],
  ['apply without a manager', patch(`${groups}/applied`, resourceGroup('applied'), APPLY)],
  ['apply by another', patch(`${groups}/applied`, resourceGroup('applied', {}, { location: 'ukwest' }), APPLY, { fieldManager: 'second' })],
  [
    'apply by force',
    patch(`${groups}/applied`, resourceGroup('applied', {}, { location: 'ukwest' }), APPLY, { fieldManager: 'second', force: true }),
  ],
  ['apply less', patch(`${groups}/applied`, resourceGroup('applied', {}, { location: 'ukwest' }), APPLY, { fieldManager: 'first' })],
  [
    'apply an unknown property',
    patch(`${groups}/applied`, resourceGroup('applied', {}, { location: 'ukwest', colour: 'red' }), APPLY, {
      fieldManager: 'first',
      fieldValidation: 'Strict',
      force: true,
    }),
  ],
  [
    'apply with managed fields',
    patch(
      `${groups}/applied`,
      resourceGroup('applied', {
        metadata: { managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
      }),
      APPLY,
      { fieldManager: 'first' },
    ),
  ],

  ['a list', get(groups, { labelSelector: 'e=f' })],
  ['a list by a set', get(groups, { labelSelector: 'e in (f,g),!z' })],
  ['a bad selector', get(groups, { labelSelector: 'e in' })],
  ['a list by name', get(groups, { fieldSelector: 'metadata.name=one' })],
  ['a list by a field that is none', get(groups, { fieldSelector: 'spec.location=uksouth' })],
  ['a page', get(groups, { limit: 2 })],
  ['a bad limit', get(groups, { limit: 'x' })],
  ['a bad token', get(groups, { limit: 2, continue: 'x' })],
  ['a list across namespaces', get(`${GROUP}/resourcegroups`, { labelSelector: 'e=f' })],
  ['a table', get(groups, { labelSelector: 'e=f' }, TABLE)],
  ['a table of one', get(`${groups}/one`, {}, TABLE)],
  ['a table of ConfigMaps', get(core('configmaps'), { labelSelector: 'none=none' }, TABLE)],
  ['metadata', get(`${groups}/one`, {}, PARTIAL)],
  ['a list of metadata', get(groups, { labelSelector: 'e=f' }, PARTIAL_LIST)],
  ['a type that nobody writes', get(groups, {}, 'text/plain')],

  ['another version', get(`/apis/managedidentity.azure.com/v1api20181130/namespaces/${NS}/userassignedidentities`)],
  [
    'an object in one version',
    post(identities, {
      apiVersion: 'managedidentity.azure.com/v1api20230131',
      kind: 'UserAssignedIdentity',
      metadata: { name: 'id' },
      spec: { location: 'uksouth', owner: { name: 'one' } },
    }),
  ],
  ['the same in another', get(`/apis/managedidentity.azure.com/v1api20181130/namespaces/${NS}/userassignedidentities/id`)],

  ['a finalizer', patch(`${groups}/one`, { metadata: { finalizers: ['example.com/hold'] } })],
  ['deletion on a condition', remove(`${groups}/one`, { preconditions: { uid: 'other' } })],
  ['deletion on another condition', remove(`${groups}/one`, { preconditions: { resourceVersion: '1' } })],
  ['deletion', remove(`${groups}/one`)],
  ['deletion again', remove(`${groups}/one`)],
  ['another finalizer', patch(`${groups}/one`, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })],
  ['a change while it goes', patch(`${groups}/one`, { spec: { tags: { x: 'z' } } })],
  ['no finalizer', patch(`${groups}/one`, { metadata: { finalizers: null } })],
  ['after it', get(`${groups}/one`)],
  ['deletion of what is not there', remove(`${groups}/one`)],
  ['deletion with a policy that is none', remove(`${groups}/two`, { propagationPolicy: 'Sideways' })],
  ['deletion of all', remove(groups, { propagationPolicy: 'Background' })],
  ['after all', get(groups)],

  ['a Secret', post(core('secrets'), secret('s', { stringData: { a: 'b' }, data: { c: 'ZA==' } }))],
  ['a Secret with a bad key', post(core('secrets'), secret('t', { stringData: { 'a/b': 'c' } }))],
  ['a Secret that is not base64', post(core('secrets'), secret('t', { data: { a: '!' } }))],
  ['a Secret with a number', post(core('secrets'), secret('t', { stringData: { a: 1 } }))],
  ['another type', patch(core('secrets/s'), { type: 'example.com/other' })],
  ['an immutable Secret', patch(core('secrets/s'), { immutable: true })],
  ['a change of it', patch(core('secrets/s'), { stringData: { a: 'x' } })],
  ['mutable again', patch(core('secrets/s'), { immutable: null })],
  ['a ConfigMap', post(core('configmaps'), configMap('c', { data: { a: 'b' }, binaryData: { d: 'ZQ==' } }))],
  ['a ConfigMap with a bad key', post(core('configmaps'), configMap('d', { data: { 'a/b': 'c' } }))],
  ['a ConfigMap with a key twice', post(core('configmaps'), configMap('d', { data: { a: 'c' }, binaryData: { a: 'ZQ==' } }))],
  ['a ConfigMap with a number', post(core('configmaps'), configMap('d', { data: { a: 1 } }))],
  ['an unknown member', post(core('configmaps'), configMap('d', { dat: { a: 'b' } }), { fieldValidation: 'Strict' })],
  ['an unknown member, with a warning', post(core('configmaps'), configMap('d', { dat: { a: 'b' } }), { fieldValidation: 'Warn' })],
  [
    'a strategic merge patch of a ConfigMap',
    patch(core('configmaps/c'), { data: { a: null, x: 'y' } }, 'application/strategic-merge-patch+json'),
  ],
  ['apply a ConfigMap', patch(core('configmaps/e'), configMap('e', { data: { a: 'b' } }), APPLY, { fieldManager: 'first' })],
  ['apply a ConfigMap by another', patch(core('configmaps/e'), configMap('e', { data: { a: 'c' } }), APPLY, { fieldManager: 'second' })],
  ['ConfigMaps by name', get(core('configmaps'), { fieldSelector: 'metadata.name=c' })],
  ['ConfigMaps by a field that is none', get(core('configmaps'), { fieldSelector: 'data.a=b' })],
  ['deletion of a ConfigMap', remove(core('configmaps/c'))],
  [
    'a Lease',
    post(`/apis/coordination.k8s.io/v1/namespaces/${NS}/leases`, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'a', leaseDurationSeconds: 15 },
    }),
  ],
  [
    'a bad Lease',
    post(`/apis/coordination.k8s.io/v1/namespaces/${NS}/leases`, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'm' },
      spec: { leaseDurationSeconds: 0 },
    }),
  ],
  [
    'an Event',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e.1' },
      reason: 'R',
      message: 'm',
      type: 'Warning',
      count: 1,
      involvedObject: { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', name: 'two', namespace: NS, uid: 'u' },
    }),
  ],
  [
    'an Event of another namespace',
    post(core('events'), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e.2' },
      involvedObject: { kind: 'ResourceGroup', name: 'x', namespace: 'other' },
    }),
  ],
  ['Events of an object', get(core('events'), { fieldSelector: 'involvedObject.name=two,involvedObject.kind=ResourceGroup' })],
  ['Events of none', get(core('events'), { fieldSelector: 'involvedObject.name=three' })],

  ['the versions of a group', get('/apis/managedidentity.azure.com')],
  ['the resources of a version', get('/apis/managedidentity.azure.com/v1api20230131')],
  ['the resources of a version that is not there', get('/apis/managedidentity.azure.com/v9')],
];

/** Where the sandbox refuses the same with the same reason, in words of its own. */
export const ownWords: readonly string[] = [
  'an object of another version', // a real server warns, in addition, of a field that it has not looked at
  'no JSON', 'no object', 'a label that is no text', 'a bad selector', 'a bad token', // a Go parser's own words
  'a bad status', // there a real server leaves out the beginning of the path
];

/** Differences of the sandbox: docs/sandbox.md. */
export const leftOut: readonly string[] = [
  'a table of ConfigMaps', // the descriptions of the columns
  'an unknown member', 'an unknown member, with a warning', 'a bad Lease', // no schemas of Kubernetes' own kinds
  'an Event', 'an Event of another namespace', 'Events of an object',
];

/** Has the dialogue with a server. */
export async function answersOf(connection: Connection): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const [title, request] of dialogue) {
    if (answers.has(title)) throw new Error(`two requests are called '${title}'`);
    const { status, headers, text } = await connection.request(request);
    answers.set(title, { status, ...(headers.warning && { warnings: headers.warning }), body: normalized(parsed(text)) });
  }
  return answers;
}
