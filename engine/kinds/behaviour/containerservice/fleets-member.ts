import { RETRYABLE } from '../../common-behaviour';
import type { KindBehaviour } from '../../kind-behaviour';

export const fleetsMember: KindBehaviour = {
  evidence: [
    'v2/api/containerservice/customizations/fleet_extensions.go',
  ],
  errors: [{ codes: ['DependentResourceNotFound'], become: RETRYABLE }],
};
