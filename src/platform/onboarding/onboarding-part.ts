/** The parts of a team's onboarding. */
export enum OnboardingPart {
  /** The team's namespace. */
  NAMESPACE = 'namespace',
  /** How much of the cluster the namespace may use: ResourceQuota and LimitRange. */
  QUOTAS = 'quotas',
  /** Who may talk to the namespace's pods. */
  NETWORK_POLICY = 'networkPolicy',
  /** The copy of the platform's trusted certificates. By default where the environment has any (`shared.trustedCertificates`). */
  TRUSTED_CERTIFICATES = 'trustedCertificates',
  /** The team's resource group. */
  RESOURCE_GROUP = 'resourceGroup',
  /** The identity under which the operator acts for the team. */
  IDENTITY = 'identity',
  /** The identity of the team's pods. By default where it is another one and something of the team uses it. */
  WORKLOAD_IDENTITY = 'workloadIdentity',
  /** The operator's identity trusts the operator's service account. By default unless the environment is strict. */
  OPERATOR_FEDERATION = 'operatorFederation',
  /** The operator's identity trusts the service account `aso-workload` of the namespace, which is made. By default unless the environment is relaxed. */
  WORKLOAD_FEDERATION = 'workloadFederation',
  /** The identity of the team's pods trusts the team's service account. */
  TEAM_FEDERATION = 'teamFederation',
  /** The identity of the team's pods trusts the platform's database administrator. By default where there is one and the team uses the shared database server. */
  DATABASE_ADMINISTRATOR_FEDERATION = 'databaseAdministratorFederation',
  /** The identity's role on the team's group. */
  RESOURCE_GROUP_ROLE = 'resourceGroupRole',
  /** The identity's role on the shared Service Bus. By default where the team uses it. */
  SERVICE_BUS_ROLE = 'serviceBusRole',
  /** The identity's role on the shared PostgreSQL server. By default where the team uses it. */
  DATABASE_ROLE = 'databaseRole',
  /** The pods' identity's role on the App Configuration store. By default where the team uses it. */
  APP_CONFIGURATION_ROLE = 'appConfigurationRole',
  /** The identities' other roles: the team's grants. */
  GRANTS = 'grants',
  /** The namespace's credential for the operator. */
  CREDENTIAL = 'credential',
  /** The team's service account. */
  TEAM_SERVICE_ACCOUNT = 'teamServiceAccount',
  /** What the team's people may do, and what the cluster refuses. By default where a policy is given. */
  GUARD_RAILS = 'guardRails',
}
