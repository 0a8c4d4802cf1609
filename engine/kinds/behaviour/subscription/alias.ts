import { CHILD_RESOURCE_ID_OVERRIDE } from '../../../../src/azure/annotations';
import { UUID } from '../../../../src/azure/uuid';
import { isRecord } from '../../../../src/util/records';
import { PROPERTIES, readObject } from '../../../arm/arm-reader';
import { fromArm } from '../../../convert/from-arm';
import { getResource } from '../../arm-json';
import type { KindBehaviour } from '../../kind-behaviour';
import { KindError, type Body, type KindContext } from '../../types';

const CANCEL_API_VERSION = '2021-10-01';

export const alias: KindBehaviour = {
  evidence: ['v2/api/subscription/customizations/alias_extensions.go'],
  beforeDelete: cancelSubscription,
  onSuccess: subscriptionOfAlias,
};

/** Children of an alias belong to the subscription that the alias created. */
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
  const request = {
    method: 'POST',
    url: `/subscriptions/${subscriptionId}/providers/Microsoft.Subscription/cancel`,
    apiVersion: CANCEL_API_VERSION,
  } as const;
  readObject(request, await client.send(request, signal));
}

function subscriptionIdIn(status: Body): string | undefined {
  const id = isRecord(status.properties) ? status.properties.subscriptionId : undefined;
  // The id becomes part of a URL.
  return typeof id === 'string' && UUID.test(id) ? id : undefined;
}
