/** The spelling in a sentence of words with special capitalization, and of those that ASO writes in one. */
const SPELLINGS: Record<string, string> = Object.fromEntries([
  ...[
    'AAAA',
    'AAD',
    'ACL',
    'ACLs',
    'AKS',
    'API',
    'APIs',
    'ARM',
    'AZ',
    'Azure',
    'BGP',
    'CA',
    'CAA',
    'CIDR',
    'CIDRs',
    'CMK',
    'CNAME',
    'CORS',
    'CPU',
    'CPUs',
    'CRL',
    'Cosmos',
    'CSI',
    'DB',
    'DDoS',
    'DNS',
    'DNSSEC',
    'EULA',
    'FIPS',
    'FPGA',
    'FQDN',
    'FQDNs',
    'GB',
    'GPU',
    'GUID',
    'HBI',
    'HNS',
    'HTTP',
    'HTTPS',
    'HTTP2',
    'ID',
    'IDs',
    'IOPS',
    'IoT',
    'IP',
    'IPs',
    'IPsec',
    'IPv4',
    'IPv6',
    'JSON',
    'JWT',
    'KEDA',
    'KMS',
    'Kubernetes',
    'LB',
    'MAC',
    'MB',
    'MFA',
    'MTU',
    'MX',
    'NAT',
    'NFS',
    'NFSv3',
    'NIC',
    'NICs',
    'NS',
    'NSG',
    'OAuth',
    'OIDC',
    'OS',
    'PEM',
    'PTR',
    'QoS',
    'RBAC',
    'Redis',
    'SAML',
    'SAS',
    'SCM',
    'SFTP',
    'SKU',
    'SKUs',
    'SMB',
    'SOA',
    'SQL',
    'SRV',
    'SSD',
    'SSH',
    'SSL',
    'TCP',
    'TLS',
    'TTL',
    'TXT',
    'UDP',
    'URI',
    'URIs',
    'URL',
    'URLs',
    'UUID',
    'VM',
    'VMs',
    'VNet',
    'VNets',
    'VPN',
    'WAF',
    'XML',
    'YAML',
  ].map((word) => [word.toLowerCase(), word]),
  ['eventhub', 'event hub'],
  ['mongodb', 'MongoDB'],
  ['prometheus', 'Prometheus'],
  ['sourcecontrol', 'source control'],
]);

/** Letter sequences that are one word despite their capitals. */
const ONE_WORD: [RegExp, string][] = [
  [/IPv(?=\d)/g, 'Ipv'],
  [/OAuth/g, 'Oauth'],
  [/DDoS/g, 'Ddos'],
  [/TLSv(?=\d)/g, 'Tlsv'],
  [/(?<=[A-Z]{2})s(?=[A-Z]|$)/g, 'S'], // URLs, IDs
];

/** Splits a name into words: `minimumTlsVersion` → `minimum`, `Tls`, `Version`; `Standard_LRS` → `Standard`, `LRS`. */
export function wordsOf(name: string): string[] {
  return ONE_WORD.reduce((text, [from, to]) => text.replace(from, to), name)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([0-9])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** The name as words in a sentence: `minimumTlsVersion` → `minimum TLS version`. */
export function phrase(name: string): string {
  return wordsOf(name)
    .map((word) => SPELLINGS[word.toLowerCase()] ?? word.toLowerCase())
    .join(' ');
}

/** Words that end with an s and are no plural. */
const NO_PLURAL = /^(?:acls|cors|ddos|diagnostics|dns|express|https|kubernetes|prometheus|redis|status|tls)$|ss$/i;

/**
 * The noun that people use for a kind: its name without those of the resources that contain it, which are plurals in ASO's names:
 * `VirtualNetworksSubnet` → `subnet`, `NamespacesEventhub` → `event hub`.
 */
export function kindNoun(kind: string): string {
  const words = wordsOf(kind);
  const own = words.findLastIndex((word, index) => index < words.length - 1 && /s$/.test(word) && !NO_PLURAL.test(word));
  const [first = '', ...others] = words.slice(own + 1);
  // An A record: no article.
  return [/^[A-Z]$/.test(first) ? first : phrase(first), ...others.map(phrase)].join(' ');
}

/** Prefixes a phrase with `a` or `an`, by its pronunciation. */
export function withArticle(text: string): string {
  const [first = ''] = text.split(' ');
  const spelt = /^[A-Z]{2,}s?$/.test(first) && !/^(NAT|SAS|WAF|CORS|SAML|VNet)/.test(first);
  const vowel = spelt ? /^[AEFHILMNORSX]/.test(first) : /^([aeio]|un(?!i)|up)/i.test(first);
  return `${vowel ? 'an' : 'a'} ${text}`;
}
