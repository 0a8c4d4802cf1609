import { armTypeOf } from '../../../../src/azure/arm-id';
import { quotedText } from '../../../../src/azure/arm-segment';
import { asText } from '../../../../src/util/words';
import { PROPERTIES } from '../../../arm/arm-reader';
import { getResource, valueAt } from '../../arm-json';
import type { KindBehaviour } from '../../kind-behaviour';
import { KindError, type Body, type KindContext, type PostCheck } from '../../types';

export const privateEndpoint: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/private_endpoints_extensions.go',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/28715',
    'https://github.com/microsoft/AzureTRE/issues/3193',
  ],
  postCheck: connectionsApproved,
  configMapValues: primaryAddress,
  serialWrites: {
    // 409 AnotherOperationInProgress.
    parent: 'Microsoft.Network/privateEndpoints',
    alone: ['privateDnsZoneGroups'],
    itself: true,
  },
};

function connectionsApproved(_: KindContext, status: Body): PostCheck {
  const connections = status.manualPrivateLinkServiceConnections;
  const waiting = (Array.isArray(connections) ? connections : []).filter(
    (connection) => valueAt(connection, 'privateLinkServiceConnectionState/status') !== 'Approved',
  );
  if (waiting.length === 0) return {};
  const ids = waiting.map((connection) => asText(valueAt(connection, 'id') ?? valueAt(connection, 'name') ?? '?'));
  return { failure: `private link service connections wait for approval: ${ids.join(', ')}` };
}

/** The private address of the endpoint's network interface, which is read only if the address is exported. */
async function primaryAddress({ object, client, signal }: KindContext, status: Body): Promise<Record<string, string>> {
  const nic = valueAt(status, 'networkInterfaces');
  const id = Array.isArray(nic) ? valueAt(nic[0], 'id') : undefined;
  if (valueAt(object.spec, 'operatorSpec/configMaps/primaryNicPrivateIpAddress') === undefined || typeof id !== 'string') return {};
  if (armTypeOf(id)?.toLowerCase() !== 'microsoft.network/networkinterfaces') {
    throw new KindError(`the status names ${quotedText(id)}, which is no network interface`);
  }
  const configurations = valueAt(
    await getResource(client, id, '2022-01-01', { needs: [PROPERTIES] }, signal),
    'properties/ipConfigurations',
  );
  const primary = (Array.isArray(configurations) ? configurations : []).find(
    (configuration) => valueAt(configuration, 'properties/primary') === true,
  );
  const address = valueAt(primary, 'properties/privateIPAddress');
  return typeof address === 'string' && address !== '' ? { primaryNicPrivateIpAddress: address } : {};
}
