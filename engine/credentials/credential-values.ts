import { REQUIRED_KEYS } from './credential-keys';
import { CredentialError } from './types';
import { UUID } from '../../src/azure/uuid';
import type { KubernetesObject } from '../kubernetes/types';

const TENANT = /^[0-9a-zA-Z.-]+$/;

/** The keys of a credential, from a Secret or from the environment. Errors name source and key, never a value. */
export class CredentialValues {
  /** Throws CredentialError when a required key is missing. */
  public static ofSecret(secret: KubernetesObject, source: string): CredentialValues {
    const data = secret.data ?? {};
    const missing = REQUIRED_KEYS.filter((key) => !Object.hasOwn(data, key)).map(
      (key) => `credential Secret "${source}" does not contain key "${key}"`,
    );
    if (missing.length > 0) {
      // The format in which Kubernetes aggregates errors.
      throw new CredentialError(`failed to get credential "${source}": ${missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`}`);
    }
    const bytes = new Map(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')]));
    return new CredentialValues(source, `credential Secret "${source}"`, bytes);
  }

  /** For settings an empty value equals an absent one. `description` names the settings in errors; default: the controller's settings. */
  public static ofEnvironment(
    environment: Readonly<Record<string, string | undefined>>,
    source: string,
    description = `the controller's settings (Secret "${source}")`,
  ): CredentialValues {
    const entries = Object.entries(environment).flatMap(([key, value]): [string, Buffer][] => (value ? [[key, Buffer.from(value)]] : []));
    return new CredentialValues(source, description, new Map(entries));
  }

  private constructor(
    /** `<namespace>/<secret name>` */
    public readonly source: string,
    /** `credential Secret "a/b"` */
    public readonly description: string,
    private readonly values: ReadonlyMap<string, Buffer>,
  ) {}

  public has(key: string): boolean {
    return this.values.has(key);
  }

  public bytes(key: string): Buffer {
    return this.values.get(key) ?? Buffer.alloc(0);
  }

  /** The value without surrounding blanks, which identifiers never have. */
  public optional(key: string): string | undefined {
    return this.values.get(key)?.toString('utf8').trim();
  }

  /** A required value. */
  public text(key: string): string {
    const text = this.optional(key);
    if (!text) throw new CredentialError(`${this.describe(key)} is empty`);
    return text;
  }

  /** A required GUID. The message does not quote an invalid value: it may be the secret under the wrong key. */
  public guid(key: string): string {
    const text = this.text(key);
    if (!UUID.test(text)) {
      throw new CredentialError(
        `${this.describe(key)} is no GUID: write an id such as 11111111-2222-3333-4444-555555555555, not a name and not a secret`,
      );
    }
    return text;
  }

  /** A required value, unchanged. */
  public secret(key: string): string {
    const text = this.values.get(key)?.toString('utf8');
    if (!text) throw new CredentialError(`${this.describe(key)} is empty`);
    return text;
  }

  public tenant(): string {
    const tenant = this.text('AZURE_TENANT_ID');
    if (!TENANT.test(tenant)) {
      throw new CredentialError(`${this.describe('AZURE_TENANT_ID')} is no tenant: a GUID or a domain name is needed`);
    }
    return tenant;
  }

  public list(key: string, separator: string): string[] {
    return (this.optional(key) ?? '').split(separator).map((part) => part.trim()).filter(Boolean);
  }

  /** All values as text. */
  public get texts(): Record<string, string> {
    return Object.fromEntries([...this.values].map(([key, value]) => [key, value.toString('utf8')]));
  }

  /** `credential Secret "a/b": key "K"` */
  public describe(key: string): string {
    return `${this.description}: key "${key}"`;
  }
}
