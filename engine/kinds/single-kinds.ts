import { getResource, valueAt } from './arm-json';
import { protectionEnded } from './backup-instances';
import { KindError, type Body, type KindContext, type KindHooks, type PostCheck } from './types';
import { CHILD_RESOURCE_ID_OVERRIDE } from '../../src/azure/annotations';
import { armTypeOf } from '../../src/azure/arm-id';
import { quotedText } from '../../src/azure/arm-segment';
import { UUID } from '../../src/azure/uuid';
import { isRecord } from '../../src/util/records';
import { armErrorFrom } from '../arm/arm-error';
import { isAbsent, PROPERTIES, readObject } from '../arm/arm-reader';
import { fromArm } from '../convert/from-arm';

/** Kinds with code of their own, each a few lines. */
export const SINGLE_KINDS: Readonly<Record<string, KindHooks>> = {
  'apimanagement.azure.com/Product': { beforeDelete: deleteProductWithSubscriptions },
  'dataprotection.azure.com/BackupVaultsBackupInstance': { postCheck: protectionEnded },
  'entra.azure.com/SecurityGroup': { configMapValues: groupId },
  'network.azure.com/PrivateEndpoint': { postCheck: connectionsApproved, configMapValues: primaryAddress },
  'network.azure.com/VirtualNetworksSubnet': { postCheck: withoutManyIpConfigurations },
  'subscription.azure.com/Alias': { beforeDelete: cancelSubscription, onSuccess: subscriptionOfAlias },
};

/** A product with subscriptions is not deleted unless they go along. */
async function deleteProductWithSubscriptions({ armId, client, signal }: KindContext): Promise<void> {
  const request = { method: 'DELETE', url: `${armId}?api-version=2022-08-01&deleteSubscriptions=true`, headers: { 'if-match': '*' } } as const;
  const response = await client.send(request, signal);
  if (![200, 202, 204].includes(response.status) && !isAbsent(request, response)) throw armErrorFrom(response, request);
}

async function groupId(_: KindContext, { entraID }: Body): Promise<Record<string, string>> {
  return typeof entraID === 'string' && entraID !== '' ? { entraID } : {};
}

function connectionsApproved(_: KindContext, status: Body): PostCheck {
  const connections = status.manualPrivateLinkServiceConnections;
  const waiting = (Array.isArray(connections) ? connections : []).filter(
    (connection) => valueAt(connection, 'privateLinkServiceConnectionState/status') !== 'Approved',
  );
  if (waiting.length === 0) return {};
  const ids = waiting.map((connection) => String(valueAt(connection, 'id') ?? valueAt(connection, 'name') ?? '?'));
  return { failure: `private link service connections wait for approval: ${ids.join(', ')}` };
}

/** The private address of the endpoint's network interface, asked for only when it is exported. */
async function primaryAddress({ object, client, signal }: KindContext, status: Body): Promise<Record<string, string>> {
  const nic = valueAt(status, 'networkInterfaces');
  const id = Array.isArray(nic) ? valueAt(nic[0], 'id') : undefined;
  if (valueAt(object.spec, 'operatorSpec/configMaps/primaryNicPrivateIpAddress') === undefined || typeof id !== 'string') return {};
  if (armTypeOf(id)?.toLowerCase() !== 'microsoft.network/networkinterfaces') throw new KindError(`the status names ${quotedText(id)}, which is no network interface`);
  const configurations = valueAt(await getResource(client, id, '2022-01-01', { needs: [PROPERTIES] }, signal), 'properties/ipConfigurations');
  const primary = (Array.isArray(configurations) ? configurations : []).find((configuration) => valueAt(configuration, 'properties/primary') === true);
  const address = valueAt(primary, 'properties/privateIPAddress');
  return typeof address === 'string' && address !== '' ? { primaryNicPrivateIpAddress: address } : {};
}

/** A subnet of a big cluster has more addresses than an object may hold. */
const MOST_IP_CONFIGURATIONS = 2000;

function withoutManyIpConfigurations(_: KindContext, status: Body): PostCheck {
  const { ipConfigurations, ...rest } = status;
  return Array.isArray(ipConfigurations) && ipConfigurations.length > MOST_IP_CONFIGURATIONS ? { status: rest } : {};
}

/** Children of an alias belong to the subscription that it made. */
function subscriptionOfAlias(_: KindContext, status: Body): Record<string, string> {
  return { [CHILD_RESOURCE_ID_OVERRIDE]: `/subscriptions/${subscriptionIdIn(status) ?? missing()}` };
}

function missing(): never {
  throw new KindError('Azure answered no properties.subscriptionId for the alias yet');
}

async function cancelSubscription({ armId, version, client, signal }: KindContext): Promise<void> {
  const status = fromArm(version, await getResource(client, armId, version.facts.arm!.apiVersion, { needs: [PROPERTIES] }, signal));
  const subscriptionId = subscriptionIdIn(status);
  if (!subscriptionId) return;
  const request = { method: 'POST', url: `/subscriptions/${subscriptionId}/providers/Microsoft.Subscription/cancel`, apiVersion: '2021-10-01' } as const;
  readObject(request, await client.send(request, signal));
}

function subscriptionIdIn(status: Body): string | undefined {
  const id = isRecord(status.properties) ? status.properties.subscriptionId : undefined;
  // It becomes part of a URL.
  return typeof id === 'string' && UUID.test(id) ? id : undefined;
}
