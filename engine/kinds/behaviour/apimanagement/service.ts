import type { KindBehaviour } from '../../kind-behaviour';

export const service: KindBehaviour = {
  evidence: [
    'https://github.com/Azure/azure-api-management-devops-resource-kit/pull/432',
  ],
  serialWrites: {
    // 409 PessimisticConcurrencyConflict: the link between a product and an API locks both.
    parent: 'Microsoft.ApiManagement/service',
    alone: ['products/apis'],
    itself: false,
  },
};
