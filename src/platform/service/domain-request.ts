import type { Lifecycle } from './lifecycle';

/** Settings of a custom domain of Front Door. */
export interface DomainOptions extends Lifecycle {
  /**
   * Name of the shared Front Door endpoint.
   * @default - the only one that the team uses
   */
  readonly on?: string;
  /**
   * Whether the service owns the domain. If not, another service of the same team owns it, and only routes refer to it.
   * @default true
   */
  readonly owned?: boolean;
  /**
   * Name of a secret of the Front Door profile, with a certificate of a Key Vault. The platform creates it.
   * @default - a certificate that Azure issues and renews
   */
  readonly certificate?: string;
  /**
   * The token that Azure gave the domain (`validationToken` of the domain, in its ConfigMap). With it, the record `_dnsauth.<host name>` is
   * written, with which Azure validates the domain. Azure makes the token with the domain, so it can be given only after the first apply,
   * and Azure waits seven days for the record.
   * @default - none: no validation record
   */
  readonly validationToken?: string;
  /**
   * Whether the host name's record, and the validation record, are written to the shared DNS zone that the team uses.
   * @default - true if there is a zone for the host name
   */
  readonly dnsRecords?: boolean;
}

/** A custom domain of a service. */
export interface DomainRequest extends DomainOptions {
  /**
   * The host name, one of those that the team may have (`hostNames`), in lower case; `*.apps.ledger.example.com` for all names of one more
   * label. At most 64 characters with a certificate of Azure.
   */
  readonly hostName: string;
}
