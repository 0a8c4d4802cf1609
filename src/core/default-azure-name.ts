import { IConstruct } from 'constructs';

const LEFT_OUT = Symbol.for('cdk8s-aso.defaultAzureNameLeftOut');

/**
 * The default of `azureName`. Unless this class says otherwise, the manifest contains it, with the value of `metadata.name`, so that the
 * manifest does not depend on a default of the operator.
 */
export class DefaultAzureName {
  /**
   * Omits the default `azureName` from all objects below the scope: the operator then takes `metadata.name`, which is the same name. For
   * manifests that have to stay as they were before they became constructs.
   * @param scope an app, a chart or any other construct
   */
  public static leaveOut(scope: IConstruct): void {
    Object.defineProperty(scope, LEFT_OUT, { value: true, configurable: true });
  }

  /** @internal */
  public static _isLeftOut(construct: IConstruct): boolean {
    for (let scope: IConstruct | undefined = construct; scope; scope = scope.node.scope) if (LEFT_OUT in scope) return true;
    return false;
  }

  private constructor() {}
}
