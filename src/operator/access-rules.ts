import { AsoAccessLevel } from './aso-access-level';
import type { KindInUse, KindsInUse } from './kinds-in-use';
import { byGroup, type Rule } from './rbac/rules';
import { changesAccess } from '../azure/access-control-kinds';

const READ = ['get', 'list', 'watch'];
const CHANGE = ['update', 'patch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** The rules of a level for kinds. `DIAGNOSE` is beside the others: to change objects needs no Secrets. */
export function accessRules(level: AsoAccessLevel, kinds: KindsInUse): Rule[] {
  const rulesOf = (verbs: string[], wanted: (inUse: KindInUse) => boolean = () => true): Rule[] => {
    const those = new Map([...kinds].filter(([, inUse]) => wanted(inUse)));
    return [...byGroup(those)].map(([group, resources]) => ({ apiGroups: [group], resources, verbs }));
  };
  const isHarmless = ({ kind: { group, kind } }: KindInUse): boolean => !changesAccess(group, kind);
  const read = [...rulesOf(READ), { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: READ }];
  switch (level) {
    case AsoAccessLevel.READ:
      return read;
    case AsoAccessLevel.DIAGNOSE:
      return [...read, ...namespacedDiagnosis(), ...diagnosisRules()];
    case AsoAccessLevel.OPERATE:
      return [...read, ...rulesOf(CHANGE, isHarmless)];
    case AsoAccessLevel.WRITE:
      return [...read, ...rulesOf(WRITE, isHarmless)];
    case AsoAccessLevel.ADMIN:
      return [...read, ...rulesOf(WRITE)];
  }
}

function namespacedDiagnosis(): Rule[] {
  return [
    { apiGroups: [''], resources: ['pods', 'secrets', 'configmaps'], verbs: READ },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: READ },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: READ },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  ];
}

/** The cluster-scoped part of `DIAGNOSE`. */
export function diagnosisRules(): readonly Rule[] {
  return [
    { apiGroups: [''], resources: ['namespaces'], verbs: READ },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ },
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
      verbs: READ,
    },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ];
}
