import { isIPv4 } from 'node:net';
import { isText, member, Struct, text } from '../../util/records';

/** A problem of an object that its schema does not cover. */
export interface KindFinding {
  /** Id of the rule (https://cdk8s-aso.github.io/cdk8s-aso/checks). */
  readonly rule:
    | 'communication-domain'
    | 'communication-sender'
    | 'dns-address'
    | 'mysql-user'
    | 'mysql-user-alias'
    | 'sql-user-characters';
  /** Path in the spec; empty for the spec itself. */
  readonly field: string;
  readonly message: string;
  /** The fix, as an imperative. */
  readonly fix: string;
}

type KindCheck = (spec: Struct, azureName: string | undefined) => readonly KindFinding[];

/** MySQL's limit. */
const LONGEST_MYSQL_NAME = 32;
/** Characters that the operator refuses in an SQL statement. */
const UNSAFE_IN_SQL = ['\'', '"', ';', '--', '/*'];

const NONE: readonly KindFinding[] = [];

/** Checks of the webhooks and the databases for single kinds, beyond their schema. */
const CHECKS: Readonly<Record<string, KindCheck>> = {
  'communication.azure.com/Domain': (spec, azureName) => {
    if (text(spec, 'domainManagement') !== 'AzureManaged' || azureName === undefined || azureName.toLowerCase() === 'azuremanageddomain') {
      return [];
    }
    return [
      {
        rule: 'communication-domain',
        field: 'azureName',
        message: `'${azureName}' is not the name that a domain has which Azure manages`,
        fix: 'give azureName: AzureManagedDomain',
      },
    ];
  },
  'communication.azure.com/SenderUsername': (spec, azureName) => {
    const username = text(spec, 'username');
    if (username === undefined || azureName === undefined || username.toLowerCase() === azureName.toLowerCase()) return [];
    return [
      {
        rule: 'communication-sender',
        field: 'username',
        message: `'${username}' is not the azureName of the object ('${azureName}')`,
        fix: `give both the same value, e.g. azureName: ${username}`,
      },
    ];
  },
  'dbformysql.azure.com/User': (spec, azureName) => [...mysqlVariant(spec), ...mysqlAlias(spec, azureName)],
  'dbforpostgresql.azure.com/User': unsafeCharacters,
  'network.azure.com/DnsZonesARecord': (spec) => ipv4Addresses(spec, 'ARecords'),
  'network.azure.com/PrivateDnsZonesARecord': (spec) => ipv4Addresses(spec, 'aRecords'),
  'sql.azure.com/User': unsafeCharacters,
};

/** `group/kind` of the kinds with checks. */
export const KINDS_WITH_FINDINGS: readonly string[] = Object.keys(CHECKS);

/**
 * The definite problems of an object of a kind beyond its schema.
 */
export function kindFindings(group: string, kind: string, spec: Struct, azureName: string | undefined): readonly KindFinding[] {
  const key = `${group}/${kind}`;
  const check = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined;
  return check ? check(spec, azureName) : NONE;
}

function mysqlVariant(spec: Struct): KindFinding[] {
  const given = ['localUser', 'aadUser'].filter((name) => member(spec, name) !== undefined);
  if (given.length === 1) return [];
  return [{
    rule: 'mysql-user',
    field: given.length === 0 ? '' : 'aadUser',
    message: given.length === 0 ? 'neither localUser nor aadUser is given' : 'localUser and aadUser exclude each other',
    fix: 'give exactly one of localUser, aadUser',
  }];
}

function mysqlAlias(spec: Struct, azureName: string | undefined): KindFinding[] {
  const user = member(spec, 'aadUser');
  if (user === undefined || text(user, 'alias') !== undefined || azureName === undefined || azureName.length <= LONGEST_MYSQL_NAME) {
    return [];
  }
  return [
    {
      rule: 'mysql-user-alias',
      field: 'aadUser.alias',
      message: `is missing, and the azureName has ${azureName.length} characters`,
      fix: `give an alias of at most ${LONGEST_MYSQL_NAME} characters`,
    },
  ];
}

function ipv4Addresses(spec: Struct, property: string): KindFinding[] {
  const records = member(spec, property);
  if (!Array.isArray(records)) return [];
  return records.flatMap((record, index) => {
    const address = text(record, 'ipv4Address');
    if (address === undefined || isIPv4(address)) return [];
    const field = `${property}[${index}].ipv4Address`;
    return [{ rule: 'dns-address', field, message: `'${address}' is no IPv4 address`, fix: 'write four numbers of 0 to 255, e.g. 10.0.0.8' }];
  });
}

function unsafeCharacters(spec: Struct, azureName: string | undefined): KindFinding[] {
  const roles = member(spec, 'roles');
  const texts: [string, unknown][] = [
    ['azureName', azureName],
    ...(Array.isArray(roles) ? roles.map((role, index): [string, unknown] => [`roles[${index}]`, role]) : []),
  ];
  return texts.flatMap(([field, value]) => {
    const unsafe = isText(value) ? UNSAFE_IN_SQL.find((sequence) => value.includes(sequence)) : undefined;
    if (unsafe === undefined) return [];
    return [{ rule: 'sql-user-characters', field, message: `contains ${unsafe}`, fix: `take a name without ${UNSAFE_IN_SQL.join(' ')}` }];
  });
}
