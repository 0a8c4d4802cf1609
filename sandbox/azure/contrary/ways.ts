/** One way in which Azure answers otherwise than expected, and where that was seen. */
export interface Way {
  readonly name: string;
  readonly meaning: string;
  /** A recording, or public reports. */
  readonly evidence: string;
  /** Of a hundred resources, or requests, so many are answered in this way. */
  readonly percent: number;
}

const RECORDED = 'recorded traffic';

/** All ways of the contrary mode. */
export const WAYS = [
  {
    name: 'regions',
    meaning: 'a region by its display name where its code was sent, and the other way round; `Global` for `global`',
    evidence: `${RECORDED} of Microsoft.App, Microsoft.DBforPostgreSQL, Microsoft.ServiceBus, Microsoft.Insights/actionGroups`,
    percent: 60,
  },
  {
    name: 'ids',
    meaning: 'ids with `resourcegroups`, a group in upper case, a provider or everything in lower case',
    evidence: `${RECORDED} of Microsoft.ContainerService, Microsoft.MachineLearningServices; https://github.com/Azure/azure-rest-api-specs/issues/37823`,
    percent: 60,
  },
  {
    name: 'roles',
    meaning: 'role definitions without their subscription',
    evidence: 'https://github.com/hashicorp/terraform-provider-azurerm/issues/19847, https://github.com/Azure/azure-rest-api-specs/issues/10939',
    percent: 60,
  },
  {
    name: 'order',
    meaning: 'lists of named items in another order, in every answer in another one',
    evidence: 'https://github.com/Azure/terraform-provider-azapi/issues/445, https://github.com/hashicorp/terraform-provider-azurerm/issues/13437',
    percent: 50,
  },
  {
    name: 'additions',
    meaning: 'members that Azure adds',
    evidence: `${RECORDED}: recorded-additions.json`,
    percent: 80,
  },
  {
    name: 'values',
    meaning: 'values in the form to which a service brings them',
    evidence: `${RECORDED}, and reports: normalisations.ts, value by value`,
    percent: 80,
  },
  {
    name: 'empties',
    meaning: 'null for what is empty, and nothing for what is null or empty',
    evidence: `${RECORDED} of Microsoft.ContainerService (nodeTaints), Microsoft.Storage/storageAccounts (tags)`,
    percent: 40,
  },
  {
    name: 'masks',
    meaning: 'null, an empty text or asterisks in the place of a secret',
    evidence: 'https://github.com/Azure/azure-rest-api-specs/issues/3037, https://github.com/hashicorp/terraform-provider-azurerm/pull/4489',
    percent: 50,
  },
  {
    name: 'stateless',
    meaning: 'resources without provisioningState once they are made',
    evidence: `${RECORDED} of Microsoft.Insights, Microsoft.Authorization`,
    percent: 15,
  },
  {
    name: 'late',
    meaning: 'a new resource that its own GET does not find for a while',
    evidence: 'https://github.com/hashicorp/terraform-provider-azurerm/issues/18268, https://github.com/Azure/terraform-provider-azapi/issues/587',
    percent: 25,
  },
  {
    name: 'lists',
    meaning: 'lists without what was made a moment ago',
    evidence: 'https://github.com/Azure/azure-rest-api-specs/issues/28600',
    percent: 50,
  },
  {
    name: 'slow',
    meaning: 'operations that take five times as long',
    evidence: `${RECORDED}: one type's longest operation takes up to five times its median`,
    percent: 15,
  },
  {
    name: 'failures',
    meaning: 'the first operation of a resource fails and leaves it Failed; the next PUT repairs it, or of some types only a DELETE',
    evidence: 'https://github.com/hashicorp/terraform-provider-azurerm/issues/12760, https://github.com/hashicorp/terraform-provider-azurerm/issues/14197',
    percent: 10,
  },
  {
    name: 'throttles',
    meaning: '429, with `Retry-After` and without',
    evidence: `${RECORDED} of Microsoft.Network (RetryableError, without Retry-After)`,
    percent: 8,
  },
  {
    name: 'endings',
    meaning: 'operations that end in all ways: operation-endings.ts',
    evidence: `${RECORDED}: operation-endings.ts`,
    percent: 70,
  },
  {
    name: 'restless',
    meaning: 'an equal PUT begins an operation',
    evidence: `${RECORDED}: PUTs of what is there, answered 200 with Azure-AsyncOperation`,
    percent: 40,
  },
] as const satisfies readonly Way[];

export type WayName = (typeof WAYS)[number]['name'];
