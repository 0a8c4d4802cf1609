/** The destination of an exported value: one key of a ConfigMap in the resource's namespace. */
export interface ConfigMapDestination {
  /** Name of the ConfigMap. The controller creates and owns it. */
  readonly name: string;
  /** Key in the ConfigMap. */
  readonly key: string;
  /**
   * Annotations of the ConfigMap.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Labels of the ConfigMap.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}

/** The destination of an exported secret: one key of a Secret in the resource's namespace. */
export interface SecretDestination {
  /** Name of the Secret. The controller creates and owns it. */
  readonly name: string;
  /** Key in the Secret. */
  readonly key: string;
  /**
   * Annotations of the Secret.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Labels of the Secret.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}

/**
 * An export by CEL expression over `self`, the resource with its status (and `secret`, its secrets, in `secretExpressions`).
 * @see https://azure.github.io/azure-service-operator/guide/expressions/
 */
export interface DestinationExpression {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /**
   * Key for an expression that gives a string.
   * @default - none: the expression gives a map of strings
   */
  readonly key?: string;
  /** The CEL expression, e.g. `self.status.id`; `CelExpression` writes the common ones. */
  readonly value: string;
  /**
   * Annotations of the destination: CEL expressions that give strings.
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
  /**
   * Labels of the destination: CEL expressions that give strings.
   * @default - none
   */
  readonly labels?: { [key: string]: string };
}
