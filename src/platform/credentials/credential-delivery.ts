import { ControllerPropagation } from './controller-propagation';
import type { ICredentialDelivery } from './credential-delivery-contract';
import type { ExternalSecretsOptions, FluxStagesOptions, KyvernoMirrorOptions } from './credential-delivery-options';
import { ExternalSecrets } from './external-secrets';
import { FluxStages } from './flux-stages';
import { KnownClientId } from './known-client-id';
import { KyvernoMirror } from './kyverno-mirror';

/** The ways to deliver the client id of an identity to a team's namespace. None of them writes a credential with an empty value. */
export class CredentialDelivery {
  /**
   * The identity already exists in Azure, and its client id is known.
   * @param clientId client id of the identity, a UUID
   * @throws when the id is not a UUID
   */
  public static knownClientId(clientId: string): ICredentialDelivery {
    return new KnownClientId(clientId);
  }

  /**
   * The controller of this package writes the credential and the service accounts' annotations once Azure has assigned all ids, and again
   * when an id changes. An annotation of the identity names its targets, an annotation of the team's Namespace its sources.
   */
  public static controller(): ICredentialDelivery {
    return new ControllerPropagation();
  }

  /**
   * Plain Azure Service Operator with CEL exports (`operatorSpec.secretExpressions`), and Kyverno (1.10 or newer), which copies the
   * exported
   * Secret into the team's namespace.
   * @param options Kyverno's installation in the cluster
   */
  public static celMirror(options: KyvernoMirrorOptions = {}): ICredentialDelivery {
    return new KyvernoMirror(options);
  }

  /**
   * Plain Azure Service Operator with CEL exports, and Flux: two Kustomizations, of which the second needs the client id that the identity
   * of the first exports.
   * @param options the source of the manifests, and the scope of the Kustomizations
   */
  public static flux(options: FluxStagesOptions): ICredentialDelivery {
    return new FluxStages(options);
  }

  /**
   * Plain Azure Service Operator with CEL exports, and External Secrets Operator (0.17 or newer), which reads the exported Secret.
   * @param options interval and name
   * @throws when the interval is not a duration
   */
  public static externalSecrets(options: ExternalSecretsOptions = {}): ICredentialDelivery {
    return new ExternalSecrets(options);
  }

  private constructor() {}
}
