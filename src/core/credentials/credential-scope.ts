import type { AzureResource } from '../azure-resource';
import { isKubernetesName } from '../kubernetes-name';
import { CredentialLevel } from './scopes/facts';

/** The resources to which a credential applies. */
export class CredentialScope {
  /** All resources of the Secret's namespace, except those that name another Secret. */
  public static ofNamespace(): CredentialScope {
    return new CredentialScope(CredentialLevel.NAMESPACE);
  }

  /**
   * All resources whose namespace has no credential: the controller's own settings. With the `BundledController` of this library, use its
   * `settings.credential` instead; this is for Azure Service Operator itself.
   * @param controllerNamespace namespace of the controller
   */
  public static ofController(controllerNamespace: string = 'azureserviceoperator-system'): CredentialScope {
    if (!isKubernetesName(controllerNamespace)) {
      throw new Error(`CredentialScope.ofController: '${controllerNamespace}' is no name of a namespace.`);
    }
    return new CredentialScope(CredentialLevel.GLOBAL, undefined, [], controllerNamespace);
  }

  /**
   * Only the resources that name the Secret.
   * @param secretName name of the Secret, in the resources' namespace
   * @param resources the resources; others can name it with `credential: credential.reference`
   */
  public static ofResources(secretName: string, ...resources: AzureResource[]): CredentialScope {
    if (!isKubernetesName(secretName) || secretName === 'aso-credential' || secretName === 'aso-controller-settings') {
      throw new Error(`CredentialScope.ofResources: '${secretName}' cannot be the Secret of single resources. Give a name of its own; aso-credential is for all of the namespace.`);
    }
    return new CredentialScope(CredentialLevel.RESOURCE, secretName, resources);
  }

  /** The level at which the credential applies: resource, namespace or controller. */
  public readonly level: CredentialLevel;

  /** @internal */
  public readonly _secretName: string | undefined;

  /** @internal */
  public readonly _resources: readonly AzureResource[];

  /** @internal */
  public readonly _namespace: string | undefined;

  private constructor(level: CredentialLevel, secretName?: string, resources: readonly AzureResource[] = [], namespace?: string) {
    this.level = level;
    this._secretName = secretName;
    this._resources = resources;
    this._namespace = namespace;
  }
}
