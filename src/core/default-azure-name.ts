import { IConstruct } from 'constructs';

const LEFT_OUT = Symbol.for('cdk8s-aso.defaultAzureNameLeftOut');

/**
 * What becomes of an `azureName` that is not given. By default it is written out, as `metadata.name`, so that what stands in
 * the manifest does not depend on a default of the operator.
 */
export class DefaultAzureName {
  /**
   * Leaves `azureName` out of all objects below the scope that are not given one: the operator then takes `metadata.name`,
   * which is the same name. For manifests that have to stay as they were before they became constructs.
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
