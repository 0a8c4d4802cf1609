import { armErrorFrom } from '../../../arm/arm-error';
import { isAbsent } from '../../../arm/arm-reader';
import type { KindBehaviour } from '../../kind-behaviour';
import type { KindContext } from '../../types';

export const product: KindBehaviour = {
  evidence: ['v2/api/apimanagement/customizations/product_extensions.go'],
  beforeDelete: deleteWithSubscriptions,
};

/** Deletes the subscriptions as well: Azure refuses to delete a product that has any. */
async function deleteWithSubscriptions({ armId, client, signal }: KindContext): Promise<void> {
  const request = {
    method: 'DELETE',
    url: `${armId}?api-version=2022-08-01&deleteSubscriptions=true`,
    headers: { 'if-match': '*' },
  } as const;
  const response = await client.send(request, signal);
  if (![200, 202, 204].includes(response.status) && !isAbsent(request, response)) throw armErrorFrom(response, request);
}
