/**
 * What becomes of a team's resources in Azure when the team leaves. Said before the team is taken from the list: first everything gets the
 * policy, which is applied, then the objects go, in whatever order.
 */
export enum Offboarding {
  /**
   * Data stays, access goes: every resource is left in Azure, but for the team's identities, federated credentials and role assignments,
   * which are deleted with their objects.
   */
  RETAIN = 'retain',
  /**
   * Everything is deleted with its object, data too, whatever its own policy; deletion guards are lifted. Queues, topics and databases that
   * the team's credential may not delete (`roles.serviceBusMayDelete`, `roles.databaseMayDelete`) stay.
   */
  DELETE = 'delete',
}
