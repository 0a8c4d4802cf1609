import { IConstruct } from 'constructs';
import type { CelExpression } from './cel/cel-expression';
import { ConfigMapValue } from './config-map-value';
import { formatted } from './exports/format';

/**
 * A value that exists only after Azure has created the resource, e.g. the principal id of an identity. Reading the property makes the
 * resource export the value to a ConfigMap; a `…FromConfig` property or a container imports it from there.
 */
export class Output extends ConfigMapValue {
  /**
   * A text with outputs in it: the resource exports the whole text to its ConfigMap, by a CEL expression. Nothing is exported while one of
   * the values is empty.
   *
   * ```ts
   * const url = Output.format('https://${0}/api', app.outputs.fqdn);
   * ```
   * @param template the text in single quotes, with `${0}` or `{0}` for the first output, `${1}` for the second
   * @param outputs outputs of one resource
   * @throws when the outputs are of several resources, a place has no output, or an output no place
   */
  public static format(template: string, ...outputs: Output[]): Output {
    return formatted('Output.format', 'ConfigMap', template, outputs) as Output;
  }

  /** @internal */
  public static _of(
    producer: IConstruct, outputName: string, configMapName: string, key: string, expression?: () => CelExpression | undefined,
  ): Output {
    return new Output(producer, outputName, configMapName, key, expression);
  }

  /** The resource that exports the value. */
  public readonly producer: IConstruct;

  /** Name of the output, e.g. `principalId`. */
  public readonly outputName: string;

  private constructor(
    producer: IConstruct, outputName: string, configMapName: string, key: string,
    private readonly expression?: () => CelExpression | undefined,
  ) {
    super(configMapName, key);
    this.producer = producer;
    this.outputName = outputName;
  }

  /**
   * The value as an expression over its resource; undefined if code of the operator finds the value.
   * @internal
   */
  public get _expression(): CelExpression | undefined {
    return this.expression?.();
  }

  /**
   * A text cannot have the value, which is known in the cluster only.
   * @throws always, with what to write instead
   */
  public override toString(): string {
    throw new Error(`The output '${this.outputName}' of '${this.producer.node.path}' cannot be a part of a text: its value is known in the cluster only, when Azure has created the resource. Write Output.format('https://\${0}/', output) for a text with it; give a container output.envValue, or a …FromConfig property the output itself.`);
  }
}
