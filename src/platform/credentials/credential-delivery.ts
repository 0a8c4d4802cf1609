import { ControllerPropagation } from './controller-propagation';
import type { ICredentialDelivery } from './credential-delivery-contract';
import type { ExternalSecretsOptions, FluxStagesOptions, KyvernoMirrorOptions } from './credential-delivery-options';
import { ExternalSecrets } from './external-secrets';
import { FluxStages } from './flux-stages';
import { KnownClientId } from './known-client-id';
import { KyvernoMirror } from './kyverno-mirror';

/** The ways in which the client id of an identity gets to where it is needed. With none of them there is a credential with an empty value. */
export class CredentialDelivery {
  /**
   * The identity is in Azure already, and its client id is known.
   * @param clientId client id of the identity, a UUID
   * @throws when the id is no UUID
   */
  public static knownClientId(clientId: string): ICredentialDelivery {
    return new KnownClientId(clientId);
  }

  /**
   * The controller of this package writes the credential and the service accounts' annotations, once Azure has given all ids, and again when
   * one changes. The identity is annotated with its targets, the team's Namespace with whom it takes credentials from.
   */
  public static controller(): ICredentialDelivery {
    return new ControllerPropagation();
  }

  /**
   * Plain Azure Service Operator with exports by CEL (`operatorSpec.secretExpressions`), and Kyverno (1.10 or newer) to get the Secret that the identity exports into the team's namespace.
   * @param options where Kyverno is
   */
  public static celMirror(options: KyvernoMirrorOptions = {}): ICredentialDelivery {
    return new KyvernoMirror(options);
  }

  /**
   * Plain Azure Service Operator with exports by CEL, and Flux: two Kustomizations, the second of which needs the client id that the first one's identity exports.
   * @param options where the files are, and where the Kustomizations go
   */
  public static flux(options: FluxStagesOptions): ICredentialDelivery {
    return new FluxStages(options);
  }

  /**
   * Plain Azure Service Operator with exports by CEL, and External Secrets Operator (0.17 or newer), which reads the Secret that the identity exports.
   * @param options how often it looks
   * @throws when the interval is no duration
   */
  public static externalSecrets(options: ExternalSecretsOptions = {}): ICredentialDelivery {
    return new ExternalSecrets(options);
  }

  private constructor() {}
}
