import { deployment, OPERATOR_NAMESPACE, why } from './scenario-environment';
import type { KubernetesObject } from '../../../engine/kubernetes';
import type { InterceptedRequest, Interception } from '../../../sandbox/kubernetes/options';
import { FINALIZER, POLLER_ID, POLLER_TOKEN, WAITING } from '../../../src/azure/annotations';
import { ago, azure, error, READY, RECONCILING, warning } from '../../engine/inspect/snapshots';
import { LiveCluster } from '../status/live-cluster';

/** A scenario whose objects are as a controller would have left them: causes that no simulated Azure can play. */
interface StoredScenario {
  readonly title: string;
  readonly objects: readonly KubernetesObject[];
  /** Ready pods of the controller. Default: one. */
  readonly pods?: number;
  readonly deleted?: readonly KubernetesObject[];
  /** Specs that change after a controller has looked at them. */
  readonly edited?: readonly KubernetesObject[];
  readonly answers?: (request: InterceptedRequest) => Interception | undefined;
  readonly asks: string;
  readonly cause: string;
  readonly sentence: RegExp;
  readonly advice: RegExp;
}

const location = { location: 'uksouth' };
const owner = { name: 'group' };
const WAITS = warning('WaitingForOwner', 'Owner "group" is not ready. Progress is blocked until the owner is ready.');
const group = (given: Parameters<typeof azure>[2]) => azure('ResourceGroup', 'group', { spec: location, ...given });
const account = (given: Parameters<typeof azure>[2] = { ready: WAITS }) =>
  azure('StorageAccount', 'data', { ...given, spec: { ...location, owner, kind: 'StorageV2', sku: { name: 'Standard_LRS' } } });
const blobs = azure('StorageAccountsBlobService', 'blobs', { spec: { owner: { name: 'data' } }, ready: WAITS });
const annotations = { 'serviceoperator.azure.com/resource-id': '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/group' };
const identity = (ready: Parameters<typeof azure>[2]) => azure('UserAssignedIdentity', 'identity', { spec: { ...location, owner }, ...ready });

const SCENARIOS: readonly StoredScenario[] = [
  {
    title: 'no controller runs',
    pods: 0,
    objects: [group({}), account({}), blobs],
    asks: 'StorageAccount/data',
    cause: 'Deployment azureserviceoperator-controller-manager',
    sentence: /no controller runs: the Deployment azureserviceoperator-system\/azureserviceoperator-controller-manager has no ready pod/i,
    advice: /kubectl scale deployment azureserviceoperator-controller-manager -n azureserviceoperator-system --replicas 1/,
  },
  {
    title: 'the controller has gone since the owner became Ready',
    pods: 0,
    objects: [group({ ready: READY }), account(), blobs],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'Deployment azureserviceoperator-controller-manager',
    sentence: /no controller runs/i,
    advice: /kubectl scale deployment/,
  },
  {
    title: 'the namespace is being deleted',
    objects: [account(), blobs, azure('StorageAccount', 'kept', { spec: { ...location, owner, kind: 'StorageV2', sku: { name: 'Standard_LRS' } }, ready: READY })],
    deleted: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'Namespace shop',
    sentence: /Namespace shop is being deleted/,
    advice: /Nothing can be created in a namespace that is being deleted/,
  },
  {
    title: 'the webhook that converts the owner does not answer',
    objects: [group({ ready: READY }), account(), blobs],
    answers: ({ path, userAgent }) => (path.includes('/resourcegroups') && !userAgent.startsWith('test')
      ? { code: 500, reason: 'InternalError', message: 'conversion webhook for resources.azure.com/v1api20200601, Kind=ResourceGroup failed: no endpoints available for service' }
      : undefined),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /could not be read: 500 InternalError: conversion webhook/,
    advice: /kubectl get crd resourcegroups\.resources\.azure\.com/,
  },
  {
    title: 'the owner may not be read',
    objects: [group({ ready: READY }), account(), blobs],
    answers: ({ path, userAgent }) => (path.includes('/resourcegroups') && !userAgent.startsWith('test')
      ? { code: 403, reason: 'Forbidden', message: 'resourcegroups is forbidden: User "jane" cannot list it' }
      : undefined),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /could not be read: 403 Forbidden/,
    advice: /kubectl auth can-i list resourcegroups\.resources\.azure\.com -n shop/,
  },
  {
    title: 'an operation hangs',
    objects: [
      group({
        ready: warning('OperationOverdue', 'Azure has been working on "/subscriptions/x" since 2026-01-01T00:00:00Z (state Updating), longer than the 60 minutes'),
        annotations: { ...annotations, [POLLER_TOKEN]: '{}', [POLLER_ID]: 'GenericClient.CreateOrUpdateByID', [WAITING]: `put ${ago(9_000)}` },
      }),
      account(), blobs,
    ],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /OperationOverdue: Azure has been working on/,
    advice: /az resource show --ids \/subscriptions\/\S+ --query properties\.provisioningState/,
  },
  {
    title: 'nobody has looked at the newest spec of the owner',
    objects: [group({ ready: RECONCILING }), account(), blobs],
    edited: [group({ spec: { ...location, tags: { a: 'b' } } })],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /no controller has looked at generation 2 of ResourceGroup shop\/group yet: the condition is of generation 1/i,
    advice: /look at whether the controller works/,
  },
  {
    title: "ASO's words for a credential that is missing",
    objects: [
      group({
        ready: warning('Failed', 'shop/dba does not exist (credential secret not found: secrets "dba" not found)'),
        annotations: { 'serviceoperator.azure.com/credential-from': 'dba' },
      }),
      account(), blobs,
    ],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'Secret dba',
    sentence: /the credential Secret shop\/dba does not exist/i,
    advice: /kubectl create secret generic dba -n shop/,
  },
  {
    title: "ASO's words for an owner that is in Error",
    objects: [
      group({ ready: error('InvalidTemplate', 'no') }),
      account({ ready: warning('WaitingForOwner', 'Owner "group, Group/Kind: resources.azure.com/ResourceGroup" cannot be found. Progress is blocked until the owner is created.') }),
    ],
    asks: 'StorageAccount/data',
    cause: 'ResourceGroup group',
    sentence: /ResourceGroup shop\/group: InvalidTemplate: no/,
    advice: /correct the property/,
  },
  {
    title: 'the finalizer of another program',
    objects: [group({ ready: READY, metadata: { finalizers: ['example.com/backup'] } }), account(), blobs],
    deleted: [group({})],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /ResourceGroup shop\/group is kept by the finalizer example\.com\/backup, of another program/,
    advice: /Look for the program that set the finalizer example\.com\/backup/,
  },
  {
    title: 'an expired client secret',
    objects: [group({ ready: warning('CredentialExpired', 'the client secret in "shop/aso-credential" has expired (AADSTS7000222)') }), account(), blobs],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /CredentialExpired: the client secret/,
    advice: /az ad app credential reset/,
  },
  {
    title: 'the controller leaves the kind of the owner out',
    objects: [
      group({ ready: READY }),
      account({ ready: warning('KindNotWatched', 'the ResourceGroup "group" cannot be read: this controller leaves ResourceGroup.resources.azure.com out (--kinds)') }), blobs,
    ],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'StorageAccount data',
    sentence: /the controller leaves ResourceGroup\.resources\.azure\.com out \(--kinds\)/i,
    advice: /--kinds has to select the kind/,
  },
  {
    title: 'a deletion that an object needs which stays',
    objects: [
      group({ ready: READY }), account({ ready: READY }),
      identity({
        ready: {
          ...RECONCILING,
          reason: 'Deleting',
          message: 'The deletion waits until nobody needs this any more: 1 object of namespace shop that use the credential Secret aso-credential: StorageAccount data. Not being deleted: StorageAccount data. Delete what is to go, or set the annotation',
        },
      }),
      azure('FederatedIdentityCredential', 'federation', {
        spec: { owner: { name: 'identity' }, issuer: 'https://issuer.example', subject: 'system:serviceaccount:a:b', audiences: ['a'] }, ready: WAITS,
      }),
    ],
    deleted: [identity({})],
    asks: 'FederatedIdentityCredential/federation',
    cause: 'StorageAccount data',
    sentence: /UserAssignedIdentity shop\/identity is being deleted, and objects that are not still need it: StorageAccount data/,
    advice: /aso\.cdk8s\.io\/delete-in-use=true/,
  },
];

test.each(SCENARIOS)('$title', async ({ objects, pods = 1, deleted = [], edited = [], answers, asks, cause, sentence, advice }) => {
  const kinds = ['ResourceGroup', 'StorageAccount', 'StorageAccountsBlobService', 'UserAssignedIdentity', 'FederatedIdentityCredential'];
  const cluster = await LiveCluster.start(...kinds);
  try {
    const namespaces = ['shop', OPERATOR_NAMESPACE].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    await cluster.apply(...namespaces, deployment(pods), ...objects.map(withFinalizer));
    for (const object of edited) await cluster.client.patch(cluster.typeOf(object), object.metadata.name, 'shop', { spec: object.spec }, 'application/merge-patch+json');
    for (const object of deleted) await cluster.delete(object);
    if (answers) cluster.intercept(answers);
    const { json, text } = await why(cluster.kubeconfig, asks, 'shop');
    expect({ cause: `${json.cause!.object.kind} ${json.cause!.object.name}`, text: json.cause!.text }).toEqual({ cause, text: expect.stringMatching(sentence) as string });
    expect([json.advice!.text, ...json.advice!.commands].filter((line) => advice.test(line))).not.toEqual([]);
    expect(text).toMatch(sentence);
  } finally {
    await cluster.close();
  }
});

/** A claimed object has the controller's finalizer, so that its deletion waits. */
function withFinalizer(object: KubernetesObject): KubernetesObject {
  const isClaimed = object.status?.conditions?.some(({ status }) => status === 'True') ?? false;
  return object.metadata.finalizers || !isClaimed ? object : { ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } };
}
