import type { KindBehaviour } from '../../kind-behaviour';
import type { Body, KindContext } from '../../types';

/** `controller/directory` creates groups through Microsoft Graph. */
export const securityGroup: KindBehaviour = {
  evidence: ['https://learn.microsoft.com/graph/api/resources/group'],
  configMapValues: groupId,
};

async function groupId(_: KindContext, { entraID }: Body): Promise<Record<string, string>> {
  return typeof entraID === 'string' && entraID !== '' ? { entraID } : {};
}
