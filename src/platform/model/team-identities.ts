/** Whether the operator acts for a team under the identity of the team's pods. */
export enum TeamIdentities {
  /**
   * Two identities: the operator's, which trusts no service account of the team, and that of the team's pods, which has no rights on the
   * resources that the operator creates.
   */
  SEPARATE = 'separate',
  /**
   * One identity for both. Every pod with the team's service account has all rights of the operator for the team and bypasses all guard
   * rails; hence the combination with `TeamOnboardingProps.policy` is rejected.
   */
  SHARED = 'shared',
}

/** An identity of a team. */
export enum TeamIdentity {
  /** The identity under which the operator acts for the team. */
  OPERATOR = 'operator',
  /** The identity of the team's pods. If identities are shared, the team's only one. */
  WORKLOAD = 'workload',
}
