import { NetworkPolicyFlavour, type SharedResourceKind, type SharedRole } from '../platform';
import { SHARED_SERVICE_TYPES } from '../platform/model/shared-service-types';
import type { ComposedKind } from '../platform-api';
import type { PlatformKindsProps } from './platform-kinds-props';
import { OWN_GROUPS } from '../util/api-groups';

const of = (group: string, ...kinds: string[]): ComposedKind[] => kinds.map((kind) => ({ group, kind }));

const IDENTITY = [
  ...of('managedidentity.azure.com', 'UserAssignedIdentity', 'FederatedIdentityCredential'),
  ...of('authorization.azure.com', 'RoleAssignment'),
  ...of('', 'ServiceAccount'),
];
const CALICO: ComposedKind = { group: 'projectcalico.org', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true };
const CERTIFICATES: ComposedKind = { group: 'azconfig.io', kind: 'AzureAppConfigurationProvider', plural: 'azureappconfigurationproviders', namespaced: true };

/** The kinds that teams compose. */
export function kindsOfTeams({ environment, policy, composes = [] }: PlatformKindsProps): ComposedKind[] {
  const flavour = environment?.conventions.networkPolicy;
  return [
    ...of('', 'Namespace', 'ResourceQuota', 'LimitRange', 'Secret'),
    ...(flavour === NetworkPolicyFlavour.CALICO ? [] : of('networking.k8s.io', 'NetworkPolicy')),
    ...(flavour === NetworkPolicyFlavour.CALICO || !environment ? [CALICO] : []),
    ...(environment?.shared.trustedCertificates || !environment ? [CERTIFICATES] : []),
    ...of('resources.azure.com', 'ResourceGroup'),
    ...IDENTITY,
    ...(policy ? of('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding') : []),
    ...of('rbac.authorization.k8s.io', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'),
    ...composes,
  ];
}

/** The kinds that services compose. */
export function kindsOfServices({ environment, composes = [] }: PlatformKindsProps): ComposedKind[] {
  const shared = environment ? environment.shared.services ?? [] : Object.values(SHARED_SERVICE_TYPES);
  const all = [
    ...IDENTITY,
    ...of('servicebus.azure.com', 'NamespacesQueue', 'NamespacesTopic', 'NamespacesTopicsSubscription', 'NamespacesTopicsSubscriptionsRule'),
    ...of('dbforpostgresql.azure.com', 'FlexibleServersDatabase'),
    ...of(
      'storage.azure.com',
      'StorageAccount', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer', 'StorageAccountsFileService',
      'StorageAccountsFileServicesShare', 'StorageAccountsTableService', 'StorageAccountsTableServicesTable',
    ),
    ...of(
      'network.azure.com',
      'PrivateEndpoint', 'PrivateEndpointsPrivateDnsZoneGroup', 'PrivateDnsZonesARecord',
      'DnsZonesARecord', 'DnsZonesAAAARecord', 'DnsZonesCNAMERecord', 'DnsZonesTXTRecord',
    ),
    ...of('cdn.azure.com', 'AfdCustomDomain', 'AfdOriginGroup', 'AfdOrigin', 'Route'),
    ...(environment ? [] : of(`databases${OWN_GROUPS}`, 'DatabaseAccess')),
    ...shared.flatMap(({ resources, roles }) => [...resources.flatMap(kindsOfResource), ...roles.flatMap(kindsOfRole)]),
    ...composes,
  ];
  return all.filter(({ group, kind }, index) => all.findIndex((other) => other.group === group && other.kind === kind) === index);
}

function kindsOfResource({ group, kind, roles = [], children = [] }: SharedResourceKind): ComposedKind[] {
  return [...(group === undefined ? [] : of(group, kind)), ...roles.flatMap(kindsOfRole), ...children.flatMap(kindsOfResource)];
}

function kindsOfRole({ objects }: SharedRole): ComposedKind[] {
  return objects.map(({ group, kind }) => ({ group, kind }));
}
