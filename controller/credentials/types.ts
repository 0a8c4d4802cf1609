import type { ArmClient } from '../azure/types';

/** The credential that applies to an object. */
export interface ResolvedCredential {
  /** `<namespace>/<secret name>`, as the event `CredentialFrom` shows it. */
  readonly source: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly client: ArmClient;
}

/** A credential that is absent or malformed. Names the Secret and the key, never a value. */
export class CredentialError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'CredentialError';
  }
}

export interface CredentialSource {
  /** Object scope, then namespace scope, then global. Throws CredentialError. */
  resolve(object: { readonly metadata: { readonly namespace?: string; readonly annotations?: Record<string, string> } }): ResolvedCredential;
}
