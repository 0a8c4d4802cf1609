import { SHARED_SERVICE_FACTORIES } from './shared-service-factories';
import { Values, withPaths } from './values';
import { CredentialReference } from '../../core';
import { PlatformPreset, type Environment, type PlatformTeam, type RoleChoices, type SharedService, type SharedServices } from '../../platform';
import { omitUndefined } from '../../util/records';
import type { KindsContext } from '../platform-kinds-props';
import type { EnvironmentSpec, SharedServiceSpec } from '../schema/environment-fields';
import { withoutOwn } from '../schema/extended';

/**
 * The environment of an `Environment` object.
 * @throws ClaimError with the problems of its spec
 */
export function environmentOf({ props: definition, composer }: KindsContext, name: string, spec: EnvironmentSpec): Environment {
  const { preset = PlatformPreset.standard(), environmentProps, environmentFields } = definition;
  const { platform, shared, roles, conventions, ...data } = withoutOwn(spec, environmentFields);
  const values = new Values();
  const props = {
    ...data,
    name: data.name ?? name,
    platform: platformOf(platform ?? {}, composer, values),
    ...omitUndefined({
      shared: shared && sharedOf(shared, values),
      roles: roles && rolesOf(roles, values),
      conventions,
    }),
  };
  values.throwIfAny();
  return withPaths((field) => (field === 'name' && data.name === undefined ? 'metadata.name' : `spec.${field}`), () => (
    preset.environment(environmentProps?.(props, { name, spec }) ?? props)));
}

function platformOf(
  { databaseAdministratorIdentity: identity, ...data }: NonNullable<EnvironmentSpec['platform']>, composer: string, values: Values,
): PlatformTeam {
  return {
    ...data,
    serviceAccounts: [...new Set([...(data.serviceAccounts ?? []), composer])],
    ...(identity !== undefined && {
      databaseAdministratorIdentity: values.identity(identity, 'spec.platform.databaseAdministratorIdentity'),
    }),
  };
}

function sharedOf({ services, privateAccess, ...data }: NonNullable<EnvironmentSpec['shared']>, values: Values): SharedServices {
  return {
    ...data,
    ...(privateAccess && {
      privateAccess: { ...privateAccess, subnet: values.resource(privateAccess.subnet, 'spec.shared.privateAccess.subnet') },
    }),
    ...(services && { services: services.map((service, index) => sharedServiceOf(service, `spec.shared.services[${index}]`, values)) }),
  };
}

function sharedServiceOf(
  { type, resource, role, administrator, defaults, fixed, ...data }: SharedServiceSpec, path: string, values: Values,
): SharedService {
  return SHARED_SERVICE_FACTORIES[type as keyof typeof SHARED_SERVICE_FACTORIES]({
    ...data,
    resource: values.resource(resource, `${path}.resource`),
    ...omitUndefined({
      defaults: values.properties(defaults, `${path}.defaults`) as SharedServiceSpec['defaults'],
      fixed: values.properties(fixed, `${path}.fixed`) as SharedServiceSpec['fixed'],
    }),
    ...(role !== undefined && { role: values.role(role, `${path}.role`) }),
    ...(administrator && {
      administrator: omitUndefined({
        name: administrator.name,
        credential: secretOf(administrator.credentialSecret),
      }),
    }),
  });
}

function rolesOf(roles: NonNullable<EnvironmentSpec['roles']>, values: Values): RoleChoices {
  return Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, values.role(role, `spec.roles.${name}`)]));
}

function secretOf(name: string | undefined): CredentialReference | undefined {
  return name === undefined ? undefined : CredentialReference.fromSecretName(name);
}
