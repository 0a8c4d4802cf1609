import { eachText, neededIf } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { parseCidr } from '../../util/cidr';
import { isRecord } from '../../util/records';
import { UUID } from '../uuid';

const POSTGRESQL = 'dbforpostgresql.azure.com/FlexibleServer';
const POSTGRESQL_DATABASE = 'dbforpostgresql.azure.com/FlexibleServersDatabase';
const MYSQL = 'dbformysql.azure.com/FlexibleServer';
const MYSQL_DATABASE = 'dbformysql.azure.com/FlexibleServersDatabase';
const SERVERS = [POSTGRESQL, MYSQL];
const PRIVATE = `${LEARN}/postgresql/flexible-server/concepts-networking-private`;
const RESTORE = [`${LEARN}/postgresql/flexible-server/concepts-backup-restore`, 'InvalidParameterValue'] as const;
const POSTGRESQL_CHARSETS = ['https://learn.microsoft.com/rest/api/postgresql/databases/create', 'InvalidParameterValue'] as const;
const MYSQL_CHARSETS = ['https://learn.microsoft.com/rest/api/mysql/databases/create-or-update', 'InvalidParameterValue'] as const;

/** Encodings of a PostgreSQL server with their aliases, without punctuation. @see https://www.postgresql.org/docs/current/multibyte.html */
const ENCODINGS = new Set(`eucCn eucJp eucJis2004 eucKr eucTw iso88595 iso88596 iso88597 iso88598 koi8r koi8 koi8u latin1 iso88591 latin2 iso88592
  latin3 iso88593 latin4 iso88594 latin5 iso88599 latin6 iso885910 latin7 iso885913 latin8 iso885914 latin9 iso885915 latin10 iso885916 muleInternal
  sqlAscii utf8 unicode win win866 alt win874 win1250 win1251 win1252 win1253 win1254 win1255 win1256 win1257 win1258 abc tcvn tcvn5712 vscii
  windows866 windows874 windows1250 windows1251 windows1252 windows1253 windows1254 windows1255 windows1256 windows1257 windows1258`.toLowerCase().split(/\s+/));
/** Character sets of MySQL. @see https://dev.mysql.com/doc/refman/8.4/en/charset-charsets.html */
const CHARSETS = new Set(`armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr gb18030 gb2312 gbk geostd8
  greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 tis620 ucs2 ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4`.split(/\s+/));
/** Private DNS zones end like the names of the servers of their cloud. */
const ZONE_ENDS: Readonly<Record<string, RegExp>> = {
  [POSTGRESQL]: /(^|\.)postgres\.database\.(azure\.com|usgovcloudapi\.net|chinacloudapi\.cn)$/i,
  [MYSQL]: /(^|\.)mysql\.database\.(azure\.com|usgovcloudapi\.net|chinacloudapi\.cn)$/i,
};
/** Ways of creation that copy another server. */
const COPIES = ['replica', 'georestore', 'pointintimerestore', 'revivedropped'];

const modeIs = (...modes: readonly string[]) => (spec: AzureSubject['spec']) => modes.includes(wordAt(spec, 'createMode') ?? '');

/** Name of the zone that a reference names, by object or ARM id. */
function zoneName(subject: AzureSubject, reference: unknown): string | undefined {
  const armId = isRecord(reference) ? reference.armId : undefined;
  if (typeof armId === 'string') return /\/privateDnsZones\/([^/]+)$/i.exec(armId)?.[1];
  return subject.referenced(reference)?.name;
}

/** `utf8_general_ci` is a collation of `utf8mb3`, and `utf8` another name of it. */
const fullName = (name: string) => name.toLowerCase().replace(/^utf8(?=_|$)/, 'utf8mb3');

export const DATABASE_SETTINGS_RULES: readonly AzureRule[] = [
  rule('database-server-source', SERVERS, 'A replica or a restored server has a source.', RESTORE,
    neededIf('sourceServerResourceReference', modeIs(...COPIES), 'is missing, but createMode copies another server', 'name the source server')),
  rule('database-server-restore-time', SERVERS, 'A restore to a point in time has its time.', RESTORE,
    (subject) => neededIf(subject.kind === POSTGRESQL ? 'pointInTimeUTC' : 'restorePointInTime', modeIs('pointintimerestore'),
      'is missing, but createMode is PointInTimeRestore', 'write the time, e.g. 2026-01-31T12:00:00Z')(subject),
    ...['pointInTimeUTC', 'restorePointInTime'].map((path) => eachText(path, (value) =>
      (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? undefined : [`'${value}' is no time`, 'write it like 2026-01-31T12:00:00Z'])))),
  rule('database-server-zone-name', SERVERS, 'The private DNS zone of a server ends like the names of such servers.', [PRIVATE, 'InvalidPrivateDnsZoneName'], (subject) => {
    const [member, end] = subject.kind === POSTGRESQL ? ['privateDnsZoneArmResourceReference', 'postgres'] : ['privateDnsZoneResourceReference', 'mysql'];
    const path = `network.${member}`;
    const name = zoneName(subject, valueAtPath(subject.spec, path));
    return name === undefined || ZONE_ENDS[subject.kind]!.test(name) ? []
      : violation(path, `is the zone '${name}'`, `name the zone like shop.private.${end}.database.azure.com`);
  }),
  rule('postgresql-subnet-size', POSTGRESQL, 'The subnet of a server is /28 or larger.', [PRIVATE, 'InvalidParameterValue'], (subject) => {
    const path = 'network.delegatedSubnetResourceReference';
    const subnet = subject.referenced(valueAtPath(subject.spec, path));
    const prefix = subnet && ['addressPrefix', 'addressPrefixes[]'].flatMap((at) => valuesAt(subnet.spec, at)).map(({ value }) => value)
      .find((value) => typeof value === 'string' && parseCidr(value)?.version === 4 && parseCidr(value)!.prefix > 28);
    return prefix === undefined ? [] : violation(path, `is the subnet '${subnet!.name}' of ${String(prefix)}`, 'give the subnet /28 or more');
  }),
  rule('postgresql-version', POSTGRESQL, 'A version is a whole number of 11 or higher.', [`${LEARN}/postgresql/flexible-server/concepts-supported-versions`, 'InvalidParameterValue'],
    eachText('version', (value) => (/^\d+$/.test(value) && Number(value) >= 11 ? undefined : [`'${value}' is no version that there is`, "write '16'"]))),
  rule('postgresql-charset', POSTGRESQL_DATABASE, 'A character set is an encoding of PostgreSQL.', POSTGRESQL_CHARSETS, eachText('charset', (value) =>
    (ENCODINGS.has(value.toLowerCase().replace(/[^a-z0-9]/g, '')) ? undefined : [`'${value}' is no encoding of a PostgreSQL server`, 'write UTF8']))),
  rule('postgresql-administrator-id', 'dbforpostgresql.azure.com/FlexibleServersAdministrator', 'The name of an administrator is the object id of a principal.',
    [`${LEARN}/postgresql/flexible-server/how-to-manage-azure-ad-users`, 'InvalidParameterValue'], ({ name, spec }) =>
      (valueAtPath(spec, 'azureNameFromConfig') === undefined && !UUID.test(name) ? violation('azureName', `'${name}' is no object id`, 'write the object id of the user, group or identity') : [])),
  rule('mysql-charset', MYSQL_DATABASE, 'A character set is one of MySQL.', MYSQL_CHARSETS, eachText('charset', (value) =>
    (CHARSETS.has(value.toLowerCase()) ? undefined : [`'${value}' is no character set of MySQL`, 'write utf8mb4']))),
  rule('mysql-collation', MYSQL_DATABASE, 'A collation is one of the character set.', MYSQL_CHARSETS, ({ spec }) => {
    const [charset, collation] = [wordAt(spec, 'charset'), wordAt(spec, 'collation')];
    if (charset === undefined || collation === undefined || !CHARSETS.has(charset)) return [];
    return fullName(collation) === fullName(charset) || fullName(collation).startsWith(`${fullName(charset)}_`) ? []
      : violation('collation', `'${collation}' is no collation of ${charset}`, `write one that begins with ${charset}_`);
  }),
];
