/**
 * The fate of a team's Azure resources when the team leaves. Set this before you remove the team from the list: first apply the policy to
 * all objects, then delete the objects, in any order.
 */
export enum Offboarding {
  /**
   * Data stays, access ends: all resources remain in Azure, except the team's identities, federated credentials and role assignments, which
   * are deleted with their objects. Objects that the team has created itself have one policy, that of the namespace: its own identities
   * remain, with what they trust and their roles on the data, until you delete them (`cdk8s-aso diff` lists them).
   */
  RETAIN = 'retain',
  /**
   * Every resource is deleted with its object, including data, regardless of its own policy; deletion guards are removed. Queues, topics
   * and other resources in shared services that the team's credential may not delete (`SharedServiceProps.mayDelete`) remain.
   */
  DELETE = 'delete',
}
