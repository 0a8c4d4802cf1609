import type { Exchange } from './recorder';
import { isRecord } from '../../src/util/records';

/** A line of `traffic` of a conformance case. */
export interface CaseExchange {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly body?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: string;
}

const ZERO = '00000000-0000-0000-0000-000000000000';
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
const ADDRESS = /\b(?:\d{1,3}\.){3}\d{1,3}\b(?!\/\d)/g;
/** Addresses that the run has chosen itself, or that mean no machine. */
const KNOWN_ADDRESS = /^(0\.0\.0\.0|10\.|127\.|169\.254\.|192\.0\.2\.|168\.63\.129\.16)/;
/** Members whose text is a secret, by their last words; Azure names keys in many ways. */
const SECRET_MEMBER = /(key|keys|password|secret|token|connectionstring|instrumentationkey|sas|signature|certificate)$/i;
/** Members that end so, and are no secrets: settings of keys, ids of what holds them. */
const OPEN_MEMBER = /(keyType|publicKeyToken|^key$|keySource|keyPolicy|allowSharedKey|partitionKey|orderingKey)$/i;
const TOKEN_IN_TEXT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?:sig|code|access_token)=[^&"\s]+|\b[A-Za-z0-9+/]{42,}={1,2}/g;
const PLACEHOLDER = '{REDACTED}';

export interface Known {
  readonly subscriptionId: string;
  readonly tenantId?: string | undefined;
  /** UUIDs that everybody may read: built-in role definitions, names that the run has made up. */
  readonly publicIds: readonly string[];
}

/**
 * The traffic as a case may show it: no subscription, tenant, principal or other id of this Azure, no key, token, e-mail or public
 * address. Equal ids stay equal.
 */
export class Redaction {
  private readonly ids = new Map<string, string>();

  public constructor({ subscriptionId, tenantId, publicIds }: Known) {
    for (const id of publicIds) this.ids.set(id.toLowerCase(), id);
    this.ids.set(ZERO, ZERO);
    this.ids.set(subscriptionId.toLowerCase(), ZERO);
    if (tenantId) this.ids.set(tenantId.toLowerCase(), ZERO);
  }

  public exchange({ method, host, path, query, body, status, headers, response }: Exchange): CaseExchange {
    return {
      method,
      host,
      path: this.text(path),
      query: this.text(query),
      ...(body !== undefined && { body: this.json(body) }),
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.text(value)])),
      response: this.json(response),
    };
  }

  /** A text that is no JSON, such as a URL or a message. */
  public text(value: string): string {
    return value
      .replaceAll(TOKEN_IN_TEXT, PLACEHOLDER)
      .replaceAll(EMAIL, '{EMAIL}')
      .replaceAll(ADDRESS, (address) => (KNOWN_ADDRESS.test(address) ? address : '192.0.2.1'))
      .replaceAll(UUID, (id) => this.id(id));
  }

  /** A value of JSON. */
  public value(value: unknown, member = ''): unknown {
    if (typeof value === 'string') return isSecret(member) && value !== '' ? PLACEHOLDER : this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one, member));
    if (!isRecord(value)) return value;
    // `{"keyName": "key1", "value": "…"}`
    const holdsKey = Object.keys(value).some((name) => /^(keyName|permissions)$/i.test(name));
    return Object.fromEntries(Object.entries(value).map(([name, one]) =>
      [this.text(name), this.value(one, holdsKey && name === 'value' ? 'secret' : name)]));
  }

  private json(text: string): string {
    try {
      return text === '' ? '' : JSON.stringify(this.value(JSON.parse(text)));
    } catch {
      return this.text(text);
    }
  }

  private id(id: string): string {
    const key = id.toLowerCase();
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const made = `00000000-0000-0000-0000-${(this.ids.size + 1).toString(16).padStart(12, '0')}`;
    this.ids.set(key, made);
    return made;
  }
}

function isSecret(member: string): boolean {
  return SECRET_MEMBER.test(member) && !OPEN_MEMBER.test(member);
}
