export * from './platform-kinds';
export type { KindOptions, NamedSpec, PlatformKindsProps, SpecOfService } from './platform-kinds-props';
export type { PrivateAccessSpec } from './schema/common-fields';
export type { DatabaseAdministratorSpec, EnvironmentSpec, SharedServiceSpec } from './schema/environment-fields';
export type { ServiceSpec } from './schema/service-fields';
export type { GrantSpec, TeamSpec } from './schema/team-fields';
