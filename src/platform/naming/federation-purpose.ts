/** The service account that a federated credential of a team's identity trusts. */
export enum FederationPurpose {
  /** The operator's own service account: relaxed workload identity. */
  OPERATOR = 'operator',
  /** The service account `aso-workload` of the team's namespace: strict workload identity. */
  WORKLOAD = 'workload',
  /** The team's service account. */
  TEAM = 'team',
  /** The platform's database administrator. */
  DATABASE_ADMINISTRATOR = 'database-administrator',
}
