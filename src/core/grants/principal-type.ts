/** The type of a principal in Entra. */
export enum PrincipalType {
  /** A person. */
  USER = 'User',
  /** A group. */
  GROUP = 'Group',
  /** A managed identity or the service principal of an app registration. */
  SERVICE_PRINCIPAL = 'ServicePrincipal',
  /** A group of another tenant. */
  FOREIGN_GROUP = 'ForeignGroup',
  /** A device. */
  DEVICE = 'Device',
}
