import { keepExisting } from '../../kept-children';
import type { KindBehaviour } from '../../kind-behaviour';

/** Routes are objects of their own; a PUT of the table without them removes them. */
export const routeTable: KindBehaviour = {
  evidence: [
    'v2/api/network/customizations/route_table_extensions.go',
    'https://github.com/kubernetes/kubernetes/issues/88151',
  ],
  bodyChange: keepExisting,
  serialWrites: {
    // 429 RetryableErrorDueToAnotherOperation.
    parent: 'Microsoft.Network/routeTables',
    alone: ['routes'],
    itself: true,
  },
};
