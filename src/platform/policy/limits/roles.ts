import { either, ofType } from './facts';
import { builtInRoleId, builtInRoleNames } from '../../../azure/built-in-roles';
import { all, any, endsWith, is, lower, lowerAscii, not, oneOf, spec, startsWith } from '../condition';
import type { Limit } from '../limit';
import { roleIdOf, TeamPolicy } from '../team-policy';

const ROLE_ASSIGNMENT = 'authorization.azure.com/RoleAssignment';
const FEDERATED_CREDENTIAL = 'managedidentity.azure.com/FederatedIdentityCredential';

/** The roles and principals that the team may use, and the subjects that its identities may trust. */
export function roleLimits(policy: TeamPolicy): Limit[] {
  return [roleLimit(policy), principalLimit(policy), subjectLimit(policy), issuerLimit(policy)];
}

function roleLimit({ options }: TeamPolicy): Limit {
  const ids = (options.roles ?? []).map(({ azureResourceRef }) => roleIdOf(azureResourceRef.armId)!);
  const names = builtInRoleNames().filter((name) => ids.includes(lowerAscii(builtInRoleId(name)!)));
  const custom = ids.filter((id) => !names.some((name) => lowerAscii(builtInRoleId(name)!) === id));
  const reference = (property: string) => spec('roleDefinitionReference', property);
  const [id, name, object] = [reference('armId'), reference('wellKnownName'), reference('name')];
  const byId = endsWith(lower(id), ids.map((one) => `/providers/microsoft.authorization/roledefinitions/${one}`));
  const byName = oneOf(lower(name), names.map(lowerAscii));
  return {
    id: 'self-service-role',
    concerns: ofType(ROLE_ASSIGNMENT),
    holds: all(is(object, ''), any(all(is(name, ''), byId), all(is(id, ''), byName))),
    field: 'spec.roleDefinitionReference',
    found: { read: (environment) => [id, name, object].map((one) => one.read(environment)).find((one) => one !== '') ?? '' },
    rule: `has to be ${either([...names, ...custom])}, by armId or wellKnownName.`,
    option: 'roles',
  };
}

function principalLimit({ options }: TeamPolicy): Limit {
  const [id, name, key] = [spec('principalId'), spec('principalIdFromConfig', 'name'), spec('principalIdFromConfig', 'key')];
  const ids = (options.principals ?? []).map(lowerAscii);
  const configMaps = options.principalConfigMaps;
  const fromConfig = all(is(id, ''), is(key, 'principalId'), configMaps ? oneOf(name, configMaps) : not(is(name, '')));
  const where = configMaps ? ` of ${either(configMaps)}` : '';
  return {
    id: 'self-service-principal',
    concerns: ofType(ROLE_ASSIGNMENT),
    holds: any(all(is(name, ''), oneOf(lower(id), ids)), fromConfig),
    field: ids.length > 0 ? 'spec.principalId' : 'spec.principalIdFromConfig',
    found: { read: (environment) => [id, name, key].map((one) => one.read(environment)).filter((one) => one !== '').join('/') },
    rule: `has to be an identity of the team, as principalIdFromConfig with the key principalId${where}${ids.length > 0 ? `, or principalId ${either(ids)}` : ''}.`,
    option: configMaps ? 'principalConfigMaps' : 'principals',
  };
}

function subjectLimit({ team, options }: TeamPolicy): Limit {
  const subject = spec('subject');
  const others = options.federatedSubjects ?? [];
  return {
    id: 'self-service-subject',
    concerns: ofType(FEDERATED_CREDENTIAL),
    // A subject from a ConfigMap could be any subject.
    holds: any(startsWith(subject, [`system:serviceaccount:${team.namespace}:`]), oneOf(subject, others)),
    field: 'spec.subject',
    found: subject,
    rule: `has to be a service account of the team's namespace, system:serviceaccount:${team.namespace}:…${others.length > 0 ? `, or ${either(others)}` : ''}.`,
    option: 'federatedSubjects',
  };
}

function issuerLimit({ team, options }: TeamPolicy): Limit {
  const issuer = spec('issuer');
  const issuers = [...team.environment.clusters.map(({ oidcIssuerUrl }) => oidcIssuerUrl), ...(options.federatedIssuers ?? [])];
  return {
    id: 'self-service-issuer',
    concerns: ofType(FEDERATED_CREDENTIAL),
    holds: oneOf(issuer, issuers),
    field: 'spec.issuer',
    found: issuer,
    rule: `has to be an issuer of the environment: ${either(issuers)}.`,
    option: 'federatedIssuers',
  };
}
