/** Types of DNS records that a service may ask for. */
export enum DnsRecordType {
  /** IPv4 addresses. */
  A = 'A',
  /** IPv6 addresses. */
  AAAA = 'AAAA',
  /** Another host name. */
  CNAME = 'CNAME',
  /** Texts. */
  TXT = 'TXT',
}

/** Contents of a DNS record set. */
export interface DnsRecordOptions {
  /** The type. */
  readonly type: DnsRecordType;
  /** Addresses or texts, or the one host name of a `CNAME`. */
  readonly values: string[];
  /**
   * Time to live in seconds.
   * @default 3600
   */
  readonly ttl?: number;
}

/** A DNS record set of a service. */
export interface DnsRecordRequest extends DnsRecordOptions {
  /**
   * The full name, e.g. `api.ledger.example.com`, under the host names that the team may have (`hostNames`). Labels may begin with `_`, and
   * the first one may be `*`.
   */
  readonly name: string;
}
