import { IConstruct } from 'constructs';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';
import { CredentialReference } from '../credentials/credential-reference';

/** The credential for all resources at and below a construct. */
export class Credentials {
  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): Credentials {
    return new Credentials(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets the credential. The resource's own `credential` wins, then the credential of the nearest scope.
   * @param credential the credential; its Secret has to be in the resources' namespace
   * @param filter the kinds to which it applies; default: all
   */
  public use(credential: CredentialReference, filter: KindFilter = {}): void {
    if (!(credential instanceof CredentialReference)) {
      throw new Error(`[${this.scope.node.path}] Credentials.use: that is no credential. Give the reference of an AsoCredential, or CredentialReference.fromSecretName(name).`);
    }
    addLayer(this.scope, { topic: 'credential', value: credential, filter, dataOnly: false });
  }
}
