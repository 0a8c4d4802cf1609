import { IConstruct } from 'constructs';
import { isKubernetesName } from '../kubernetes-name';

/** The credential Secret of a single object. */
export class CredentialReference {
  /**
   * A Secret of the object's namespace that something else writes.
   * @param secretName name of the Secret
   * @throws when the name contains a `/`: the Secret has to be in the object's own namespace
   */
  public static fromSecretName(secretName: string): CredentialReference {
    return new CredentialReference(secretName);
  }

  /** @internal */
  public static _of(secret: IConstruct, secretName: string): CredentialReference {
    return new CredentialReference(secretName, secret);
  }

  /** Name of the Secret. */
  public readonly secretName: string;

  /** The construct that writes the Secret, if it is in this app. */
  public readonly secret: IConstruct | undefined;

  private constructor(secretName: string, secret?: IConstruct) {
    if (!isKubernetesName(secretName)) {
      throw new Error(
        `'${secretName}' is not the name of a Secret. Give the bare name: the Secret has to be in the same namespace as the resource.`,
      );
    }
    this.secretName = secretName;
    this.secret = secret;
  }
}
