import { between, eachText } from './finders';
import { LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valuesAt } from './values';
import { parseAddress } from '../../util/cidr';
import { counted } from '../../util/words';

const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'PTR', 'SRV', 'TXT'];
const PUBLIC = 'network.azure.com/DnsZones';
const PRIVATE = 'network.azure.com/PrivateDnsZones';
const kindsOf = (type: string) => [`${PUBLIC}${type}Record`, `${PRIVATE}${type}Record`];
const RECORDS = [...RECORD_TYPES.flatMap(kindsOf), `${PUBLIC}CAARecord`, `${PUBLIC}NSRecord`];
const CNAMES = kindsOf('CNAME');
const ZONE = 'network.azure.com/PrivateDnsZone';
const DNS = [`${LEARN}/dns/dns-zones-records`, 'BadRequest'] as const;
const PRIVATE_DNS = [`${LEARN}/dns/private-dns-privatednszone`, 'BadRequest'] as const;

/** Names of the members differ between public and private zones. */
const eachOf = (...paths: readonly string[]) => paths;
const longText = ({ spec }: AzureSubject) => eachOf('txtRecords[]', 'TXTRecords[]').flatMap((path) => valuesAt(spec, path)).flatMap(({ field }) => {
  const parts = valuesAt(spec, `${field.replace(/\[\d+\]$/, '')}[].value[]`).filter((at) => at.field.startsWith(`${field}.`));
  const length = parts.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0);
  return length > 4096 ? violation(field, `has ${length} characters`, 'write 4096 at most') : [];
});

export const DNS_RULES: readonly AzureRule[] = [
  rule('dns-ttl', RECORDS, 'A time to live is 1 to 2147483647 seconds.', DNS, between('TTL', 1, 2_147_483_647, 'seconds'), between('ttl', 1, 2_147_483_647, 'seconds')),
  rule('dns-cname-apex', CNAMES, 'A zone has no CNAME record at its apex (`@`).', DNS, ({ name }) =>
    (name === '@' ? violation('azureName', 'is @: a CNAME record cannot be at the apex of its zone', 'write another name, or an A record (an alias for a resource of Azure)') : [])),
  rule('dns-cname-alone', CNAMES, 'A CNAME record has its name alone.', [DNS[0], 'Conflict'], (subject) => {
    const zone = subject.kind.startsWith(PUBLIC) ? PUBLIC : PRIVATE;
    const other = RECORD_TYPES.filter((type) => type !== 'CNAME').map((type) => `${zone}${type}Record`)
      .find((kind) => subject.beside(kind).some(({ name }) => name.toLowerCase() === subject.name.toLowerCase()));
    return other ? violation('azureName', `'${subject.name}' has a record of another type too (${other.slice(zone.length)})`, 'give each its own name') : [];
  }),
  rule('dns-aaaa', kindsOf('AAAA'), 'An AAAA record has IPv6 addresses.', DNS, ...eachOf('aaaaRecords[].ipv6Address', 'AAAARecords[].ipv6Address').map((path) =>
    eachText(path, (value) => (parseAddress(value)?.bits === 128 ? undefined : [`'${value}' is no IPv6 address`, 'write an IPv6 address, or an A record'])))),
  rule('dns-mx-preference', kindsOf('MX'), 'The preference of a mail server is 0 to 65535.', DNS,
    ...eachOf('mxRecords[].preference', 'MXRecords[].preference').map((path) => between(path, 0, 65_535))),
  rule('dns-srv', kindsOf('SRV'), 'Port, priority and weight of a service are 0 to 65535.', DNS,
    ...['port', 'priority', 'weight'].flatMap((member) => eachOf(`srvRecords[].${member}`, `SRVRecords[].${member}`)).map((path) => between(path, 0, 65_535))),
  rule('dns-caa-flags', `${PUBLIC}CAARecord`, 'The flags of a CAA record are 0 to 255.', DNS, between('caaRecords[].flags', 0, 255), between('CAARecords[].flags', 0, 255)),
  rule('dns-txt-length', kindsOf('TXT'), 'A TXT record has 4096 characters at most.', DNS, longText),
  rule('dns-cname-target', CNAMES, 'A CNAME record points to a name, not to an address.', DNS, ...eachOf('cnameRecord.cname', 'CNAMERecord.cname').map((path) =>
    eachText(path, (value) => (parseAddress(value) || /^https?:/i.test(value) ? [`'${value}' is no domain name`, 'write the name of a host'] : undefined)))),
  rule('private-dns-zone-name', ZONE, 'A private zone has 2 to 34 labels.', PRIVATE_DNS, ({ name }) => {
    const labels = name.replace(/\.$/, '').split('.').length;
    return labels >= 2 && labels <= 34 ? [] : violation('azureName', `'${name}' has ${counted(labels, 'label')}`, 'write a name like shop.internal');
  }),
];
