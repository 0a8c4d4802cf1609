import { futile, LEARN, violation, type AzureRule } from './rule';
import { valueAtPath, wordAt } from './values';

const POSTGRESQL = 'dbforpostgresql.azure.com/User';
const MYSQL = 'dbformysql.azure.com/User';
const SQL = 'sql.azure.com/User';
const REFUSED = 'the server refuses every password: neither the administrator nor the user can sign in';

export const SIGN_IN_RULES: readonly AzureRule[] = [
  futile('postgresql-user-password', POSTGRESQL, 'A user with a password is on a server that takes passwords.',
    [`${LEARN}/postgresql/flexible-server/concepts-azure-ad-authentication`, REFUSED], ({ spec, owner }) =>
      (owner && valueAtPath(spec, 'localUser') !== undefined && wordAt(owner.spec, 'authConfig.passwordAuth') === 'disabled'
        ? violation('localUser', `signs in by password, but the server '${owner.name}' has authConfig.passwordAuth: Disabled`, 'write Enabled, or make a user of Entra ID') : [])),
  futile('sql-user-password', SQL, 'A user with a password is on a server that takes passwords.',
    [`${LEARN}/azure-sql/database/authentication-azure-ad-only-authentication`, REFUSED], ({ spec, owner }) => {
      const server = owner?.owner;
      if (!server || valueAtPath(spec, 'localUser') === undefined) return [];
      const settings = owner.beside('sql.azure.com/ServersAzureADOnlyAuthentication');
      return valueAtPath(server.spec, 'administrators.azureADOnlyAuthentication') === true
        || settings.some((one) => valueAtPath(one.spec, 'azureADOnlyAuthentication') === true)
        ? violation('localUser', `signs in by password, but the server '${server.name}' has azureADOnlyAuthentication: true`, 'allow passwords on the server') : [];
    }),
  futile('mysql-user-password', MYSQL, 'A user with a password is on a server that takes passwords.',
    [`${LEARN}/mysql/flexible-server/concepts-azure-ad-authentication`, REFUSED], (subject) =>
      (valueAtPath(subject.spec, 'localUser') !== undefined && subject.beside('dbformysql.azure.com/FlexibleServersConfiguration')
        .some(({ name, spec }) => name.toLowerCase() === 'aad_auth_only' && wordAt(spec, 'value') === 'on')
        ? violation('localUser', 'signs in by password, but the server has aad_auth_only: ON', 'use aadUser, or write OFF') : [])),
];
