import type { AzureObject } from './object-set';
import { Found, objectRule, Rule, Severity } from './rule';
import { isText, member, text } from './values';
import { isUuidNamed } from '../../azure/uuid-names';

/** A rule for objects of some kinds. */
function kindRule(id: string, severity: Severity, why: string, kinds: readonly string[], find: (object: AzureObject) => readonly Found[]): Rule {
  return objectRule(id, severity, why, (object) => (kinds.includes(`${object.group}/${object.kind}`) ? find(object) : []));
}

const USERS = ['dbforpostgresql.azure.com/User', 'sql.azure.com/User'];
/** What the operator does not let into a statement. */
const UNSAFE_IN_SQL = ["'", '"', ';', '--', '/*'];

/** What single kinds ask for beyond their schema. */
export const KIND_RULES: readonly Rule[] = [
  kindRule('communication-domain', 'error', 'the webhook refuses it', ['communication.azure.com/Domain'], ({ spec, facts }) => {
    if (text(spec, 'domainManagement') !== 'AzureManaged' || facts.azureName?.toLowerCase() === 'azuremanageddomain') return [];
    return [{ field: 'spec.azureName', message: 'a domain that Azure manages has another name', fix: 'give azureName: AzureManagedDomain' }];
  }),
  kindRule('communication-sender', 'error', 'the webhook refuses it', ['communication.azure.com/SenderUsername'], ({ spec, facts }) => {
    const username = text(spec, 'username');
    if (username === undefined || username.toLowerCase() === facts.azureName?.toLowerCase()) return [];
    return [{ field: 'spec.username', message: 'is not the azureName of the object', fix: `give both the same value, e.g. azureName: ${username}` }];
  }),
  kindRule('mysql-user', 'error', 'the webhook refuses it', ['dbformysql.azure.com/User'], ({ spec }) => {
    const given = ['localUser', 'aadUser'].filter((name) => member(spec, name) !== undefined);
    if (given.length === 1) return [];
    return [{ field: given.length === 0 ? 'spec' : 'spec.aadUser', message: given.length === 0 ? 'neither localUser nor aadUser is given' : 'localUser and aadUser exclude each other', fix: 'give exactly one of localUser, aadUser' }];
  }),
  kindRule('mysql-user-alias', 'error', 'MySQL has no user names of more than 32 characters', ['dbformysql.azure.com/User'], ({ spec, name }) => {
    const user = member(spec, 'aadUser');
    const azureName = text(spec, 'azureName') ?? name;
    if (user === undefined || text(user, 'alias') !== undefined || azureName.length <= 32) return [];
    return [{ field: 'spec.aadUser.alias', message: `is missing, and the azureName has ${azureName.length} characters`, fix: 'give an alias of at most 32 characters' }];
  }),
  kindRule('sql-user-characters', 'error', 'the operator puts no such text into a statement', USERS, ({ spec, name }) => {
    const roles = member(spec, 'roles');
    const texts: [string, unknown][] = [['spec.azureName', text(spec, 'azureName') ?? name], ...(Array.isArray(roles) ? roles.map((role, index): [string, unknown] => [`spec.roles[${index}]`, role]) : [])];
    return texts.flatMap(([field, value]) => {
      const unsafe = isText(value) ? UNSAFE_IN_SQL.find((sequence) => value.includes(sequence)) : undefined;
      return unsafe === undefined ? [] : [{ field, message: `contains ${unsafe}`, fix: `take a name without ${UNSAFE_IN_SQL.join(' ')}` }];
    });
  }),
  kindRule('security-group-type', 'warning', 'the original operator takes enabled and enabledm365 for a group without dynamic members', ['entra.azure.com/SecurityGroup'], ({ spec }) =>
    (['enabled', 'enabledm365'].includes(text(spec, 'membershipType') ?? '') ? [{ field: 'spec.membershipType', message: 'does not do the same in every operator', fix: 'use assigned or assignedm365' }] : [])),
  objectRule('no-delete', 'info', 'Azure cannot delete such a resource: the object stays until its owner goes', ({ version, annotations, kind, group }) => {
    const { operations } = version.facts;
    if (!version.isArm || isUuidNamed(group, kind) || !operations || operations.includes('DELETE')) return [];
    if (['detach-on-delete', 'skip'].includes(annotations['serviceoperator.azure.com/reconcile-policy'] ?? '')) return [];
    return [{ message: `a ${kind} cannot be deleted alone`, fix: 'annotate serviceoperator.azure.com/reconcile-policy: detach-on-delete if it is to go before its owner' }];
  }),
];
