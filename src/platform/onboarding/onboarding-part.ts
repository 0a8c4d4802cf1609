/** The parts of a team's onboarding. */
export enum OnboardingPart {
  /** The team's namespace. */
  NAMESPACE = 'namespace',
  /** The namespace's ResourceQuota and LimitRange. */
  QUOTAS = 'quotas',
  /** The network policy of the namespace. */
  NETWORK_POLICY = 'networkPolicy',
  /** The copy of the platform's trusted certificates. By default if the environment has any (`shared.trustedCertificates`). */
  TRUSTED_CERTIFICATES = 'trustedCertificates',
  /** The team's resource group. */
  RESOURCE_GROUP = 'resourceGroup',
  /** The identity under which the operator acts for the team. */
  IDENTITY = 'identity',
  /** The identity of the team's pods. By default if identities are separate and another part uses it. */
  WORKLOAD_IDENTITY = 'workloadIdentity',
  /** The operator's identity trusts the operator's service account. By default unless the environment is strict. */
  OPERATOR_FEDERATION = 'operatorFederation',
  /**
   * The service account `aso-workload` of the namespace, which the operator's identity trusts. By default unless the environment is
   * relaxed.
   */
  WORKLOAD_FEDERATION = 'workloadFederation',
  /** The identity of the team's pods trusts the team's service account. */
  TEAM_FEDERATION = 'teamFederation',
  /**
   * The identity of the team's pods trusts the platform's database administrator, if any. By default if the team uses the shared database
   * server.
   */
  DATABASE_ADMINISTRATOR_FEDERATION = 'databaseAdministratorFederation',
  /** The identity's role on the team's group. */
  RESOURCE_GROUP_ROLE = 'resourceGroupRole',
  /** The roles of the team's identities on the shared services that it uses. By default if any of these has a role. */
  SHARED_SERVICE_ROLES = 'sharedServiceRoles',
  /** Further roles of the identities: the team's grants. */
  GRANTS = 'grants',
  /** The namespace's credential for the operator. */
  CREDENTIAL = 'credential',
  /** The team's service account. */
  TEAM_SERVICE_ACCOUNT = 'teamServiceAccount',
  /** The rights of the team's groups, and the admission policy of the cluster. By default if a policy is set. */
  GUARD_RAILS = 'guardRails',
}
