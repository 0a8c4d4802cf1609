import type { AsoCluster } from './aso-cluster';
import { ASO_RELEASE, storageVersionOf } from './aso-crd';
import { NAMESPACE } from './aso-names';
import type { Azure } from './azure';
import { kindOf, pathOf, TEAMS, type NamedObject } from './objects';

const ASO = 'serviceoperator.azure.com/';

export interface ObjectUnderWay {
  readonly named: NamedObject;
  readonly id: string;
  readonly token: string;
}

/**
 * An object that ASO has sent to Azure a moment ago: Azure works on it, and the token by which ASO would follow the operation is on the
 * object, as azcore writes it (https://github.com/Azure/azure-sdk-for-go/tree/main/sdk/azcore/internal/pollers/async).
 */
export async function objectUnderWay({ api, left }: AsoCluster, azure: Azure): Promise<ObjectUnderWay> {
  const [namespace] = TEAMS;
  const owner = left.find(({ named }) => named.kind === 'ResourceGroup' && named.metadata.namespace === namespace)!;
  const named: NamedObject = {
    apiVersion: 'network.azure.com/v20250301',
    kind: 'VirtualNetwork',
    metadata: { name: 'under-way', namespace: namespace! },
    spec: { owner: { name: owner.named.metadata.name }, location: 'uksouth', addressSpace: { addressPrefixes: ['10.9.0.0/16'] } },
  };
  const group = owner.object.metadata.annotations[`${ASO}resource-id`] as string;
  const id = `${group}/providers/Microsoft.Network/virtualNetworks/under-way`;
  await azure.keepRunning();
  const answer = await azure.put(id, '2025-03-01', { location: 'uksouth', properties: { addressSpace: named.spec.addressSpace } });
  const { 'azure-asyncoperation': asyncURL } = answer.headers;
  if (answer.status !== 201 || typeof asyncURL !== 'string') throw new Error(`PUT ${id}: ${answer.status} ${answer.text}`);
  const origURL = `${new URL(asyncURL).origin}${id}?api-version=2025-03-01`;
  const state = { asyncURL, locURL: '', origURL, method: 'PUT', finalState: '', state: 'Updating' };
  const token = JSON.stringify({ type: 'GenericResource', token: state });
  const path = pathOf(named);
  const { metadata: { generation } } = await api.send('POST', path.slice(0, path.lastIndexOf('/')), named, { fieldManager: 'kubectl' });
  const storage = pathOf(named, storageVersionOf(kindOf(named)));
  await api.send('PATCH', storage, {
    metadata: {
      finalizers: [`${ASO}finalizer`],
      labels: { [`${ASO}last-reconciled-version`]: ASO_RELEASE, [`${ASO}owner-uid`]: owner.object.metadata.uid },
      annotations: {
        [`${ASO}resource-id`]: id,
        [`${ASO}operator-namespace`]: NAMESPACE,
        [`${ASO}latest-reconciled-generation`]: String(generation),
        [`${ASO}poller-resume-token`]: token,
        [`${ASO}poller-resume-id`]: 'GenericClient.CreateOrUpdateByID',
      },
      ownerReferences: [{ apiVersion: `resources.azure.com/${storageVersionOf(kindOf(owner.named))}`, kind: 'ResourceGroup', name: owner.named.metadata.name, uid: owner.object.metadata.uid }],
    },
  });
  const condition = { type: 'Ready', status: 'False', severity: 'Info', reason: 'Reconciling', message: 'The resource is in the process of being reconciled by the operator', lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''), observedGeneration: generation };
  await api.send('PATCH', `${storage}/status`, { status: { conditions: [condition] } });
  return { named, id, token };
}
