/** A shared service on which a team's identity gets the role that the environment defines for it (`roles`). */
export enum SharedService {
  /** The Service Bus namespace: `shared.serviceBus`, `roles.serviceBus`. */
  SERVICE_BUS = 'service-bus',
  /** The PostgreSQL server: `shared.postgresServer`, `roles.database`. */
  DATABASE = 'database',
  /** The App Configuration store: `shared.appConfiguration`, `roles.appConfiguration`. */
  APP_CONFIGURATION = 'app-configuration',
}
