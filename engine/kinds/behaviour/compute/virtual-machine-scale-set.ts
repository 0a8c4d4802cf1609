import { isRecord } from '../../../../src/util/records';
import { valueAt } from '../../arm-json';
import { RETRYABLE } from '../../common-behaviour';
import { mergeByName } from '../../kept-children';
import type { KindBehaviour } from '../../kind-behaviour';

/** Extensions can be objects of their own; a PUT of the scale set without them removes them. */
export const virtualMachineScaleSet: KindBehaviour = {
  evidence: [
    'v2/api/compute/customizations/vmss_extensions.go',
    'https://github.com/hashicorp/terraform-provider-azurerm/issues/7002',
    'https://github.com/kubernetes-sigs/cloud-provider-azure/issues/9728',
  ],
  errors: [{ codes: ['OperationNotAllowed'], become: RETRYABLE }],
  bodyChange: mergeByName({ mayBeAbsent: hasNoExtensions }),
  // In versions with an etag.
  takesIfMatch: true,
  serialWrites: {
    // Azure answers OperationNotAllowed to extensions while the set rolls one out. A PUT of the set itself includes its extensions.
    parent: 'Microsoft.Compute/virtualMachineScaleSets',
    alone: ['extensions'],
    itself: true,
  },
};

/**
 * A scale set without extensions has no extension profile; one with flexible orchestration may have no profile of virtual machines at all.
 */
function hasNoExtensions(existing: unknown): boolean {
  const properties = valueAt(existing, 'properties');
  if (!isRecord(properties)) return false;
  const { virtualMachineProfile: machines } = properties;
  if (!isRecord(machines)) return machines === undefined && properties.orchestrationMode === 'Flexible';
  return machines.extensionProfile === undefined || isRecord(machines.extensionProfile);
}
