/** Rights on Azure objects, each with those before it. */
export enum AsoAccessLevel {
  /** Reads objects, their conditions and their events: dashboards, `cdk8s-aso status`, `graph`, `plan --live --cluster`. */
  READ = 'Read',
  /**
   * Reads also what `cdk8s-aso doctor` and `why` look at: Deployments, pods, Leases, webhooks, CRDs, namespaces, and the names and keys of
   * Secrets. RBAC cannot give the keys of a Secret without its values.
   */
  DIAGNOSE = 'Diagnose',
  /** Changes objects that exist, e.g. the annotation `reconcile-policy`; creates and deletes none: on-call engineers. */
  OPERATE = 'Operate',
  /** Creates, changes and deletes objects, but for the kinds that change access in Azure: pipelines and deployers. */
  WRITE = 'Write',
  /** Creates, changes and deletes objects of all kinds, role assignments too. */
  ADMIN = 'Admin',
}
