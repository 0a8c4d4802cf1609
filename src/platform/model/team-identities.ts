/** Whether the operator acts for a team under an identity that the team's pods can have. */
export enum TeamIdentities {
  /**
   * Two identities: one under which the operator acts, which no service account of the team is federated with, and one for the team's pods,
   * which has no rights on what the operator makes.
   */
  SEPARATE = 'separate',
  /**
   * One identity for both, as the model platform has it. Every pod with the team's service account can do what the operator can do for the
   * team, past all guard rails: they are refused together with `TeamOnboardingProps.policy`.
   */
  SHARED = 'shared',
}

/** Which identity of a team. */
export enum TeamIdentity {
  /** The one under which the operator acts for the team. */
  OPERATOR = 'operator',
  /** The one that the team's pods have. Where identities are shared, the only one. */
  WORKLOAD = 'workload',
}
