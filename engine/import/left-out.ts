import type { KindVersion } from '../../src/catalog';
import { isRecord, type JsonObject, memberIgnoringCase } from '../../src/util/records';

/** The databases that every PostgreSQL server has. */
const OWN_DATABASES = new Set(['azure_maintenance', 'azure_sys', 'postgres']);
/** The databases that every MySQL server has. */
const MYSQL_DATABASES = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);

/** Why a resource gets no object, known by its name alone; undefined: it gets one. */
export function leftOutByName(version: KindVersion, name: string): string | undefined {
  switch (`${version.kind.service}/${version.kind.kind}`) {
    case 'dbforpostgresql/FlexibleServersDatabase':
      return OWN_DATABASES.has(name.toLowerCase()) ? 'every PostgreSQL server has this database' : undefined;
    case 'dbformysql/FlexibleServersDatabase':
      return MYSQL_DATABASES.has(name.toLowerCase()) ? 'every MySQL server has this database' : undefined;
    case 'sql/ServersDatabase':
      return name.toLowerCase() === 'master' ? 'every SQL server has this database' : undefined;
    case 'servicebus/NamespacesAuthorizationRule':
    case 'eventhub/NamespacesAuthorizationRule':
      return name === 'RootManageSharedAccessKey' ? 'Azure makes this rule with every namespace' : undefined;
    case 'eventhub/NamespacesEventhubsConsumerGroup':
      return name.toLowerCase() === '$default' ? 'Azure makes this consumer group with every event hub' : undefined;
    case 'servicebus/NamespacesTopicsSubscriptionsRule':
      return name === '$Default' ? 'Azure makes this rule with every subscription' : undefined;
    default:
      return undefined;
  }
}

/** Why a resource gets no object, known by what Azure answers; undefined: it gets one. */
export function leftOutByAnswer(version: KindVersion, owner: string | undefined, answer: JsonObject): string | undefined {
  const properties = memberIgnoringCase(answer, 'properties');
  const property = (name: string) => (isRecord(properties) ? memberIgnoringCase(properties, name) : undefined);
  const text = (name: string) => String(property(name) ?? '').toLowerCase();
  const managedBy = memberIgnoringCase(answer, 'managedBy');
  switch (`${version.kind.service}/${version.kind.kind}`) {
    case 'resources/ResourceGroup':
      return typeof managedBy === 'string' && managedBy !== '' ? `the group is managed by ${managedBy}` : undefined;
    case 'authorization/RoleAssignment':
      if (owner === undefined || text('scope') === owner.toLowerCase()) return undefined;
      return `it is inherited from ${text('scope') || 'another scope'}`;
    case 'authorization/RoleDefinition':
      return text('type') === 'builtinrole' ? 'it is a built-in role' : undefined;
    case 'dbforpostgresql/FlexibleServersConfiguration':
    case 'dbformysql/FlexibleServersConfiguration': {
      if (text('source') === 'system-default') return 'it has the default of the server';
      if (text('isReadOnly') === 'true') return 'it cannot be written';
      const current = property('currentValue') ?? property('value');
      return current !== undefined && current === property('defaultValue') ? 'it has the default of the server' : undefined;
    }
    default:
      return undefined;
  }
}
