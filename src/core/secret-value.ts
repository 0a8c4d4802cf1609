import type { EnvValue } from 'cdk8s-plus-27';
import { IConstruct } from 'constructs';
import type { CelExpression } from './cel/cel-expression';
import { secretEnvValue } from './env-value';
import { formatted } from './exports/format';
import type { Output } from './output';

/** The value under one key of a Secret in the namespace of the resource or pod that reads it. The value itself is never in a manifest. */
export class SecretValue {
  /**
   * A key of a Secret that something else writes.
   * @param name name of the Secret
   * @param key the key
   */
  public static fromSecret(name: string, key: string): SecretValue {
    return new SecretValue(name, key);
  }

  static {
    // As for ConfigMapValue: cdk8s calls `resolve`, JSON.stringify `toJSON`.
    for (const name of ['resolve', 'toJSON']) {
      Object.defineProperty(this.prototype, name, { value(this: SecretValue) { return this.toString(); } });
    }
  }

  /** Name of the Secret. */
  public readonly secretName: string;

  /** Key in the Secret. */
  public readonly key: string;

  protected constructor(secretName: string, key: string) {
    this.secretName = secretName;
    this.key = key;
  }

  /** The value as an environment variable of a container (cdk8s-plus). The pod waits until the Secret has the key. */
  public get envValue(): EnvValue {
    return secretEnvValue(this.secretName, this.key);
  }

  /**
   * A text cannot have the value, which is known in the cluster only.
   * @throws always, with what to write instead
   */
  public toString(): string {
    throw new Error(`The key '${this.key}' of the Secret '${this.secretName}' cannot be a part of a text: a secret never stands in a manifest. Give a container its envValue, or a property that takes a secret the object itself.`);
  }
}

/** A secret that Azure creates with the resource, e.g. an access key, exported to a Secret. */
export class SecretOutput extends SecretValue {
  /**
   * A text with secrets and outputs in it, such as a connection string: the resource exports the whole text to its Secret, by a CEL
   * expression. Nothing is exported while one of the values is empty.
   *
   * ```ts
   * const url = SecretOutput.format('rediss://:${0}@${1}:6380', cache.secretOutputs.primaryKey, cache.secretOutputs.hostName);
   * ```
   * @param template the text in single quotes, with `${0}` or `{0}` for the first value, `${1}` for the second
   * @param values secret outputs and outputs of one resource
   * @throws when the values are of several resources, a place has no value, or a value no place
   */
  public static format(template: string, ...values: (SecretOutput | Output)[]): SecretOutput {
    return formatted('SecretOutput.format', 'Secret', template, values) as SecretOutput;
  }

  /** @internal */
  public static _of(
    producer: IConstruct, outputName: string, secretName: string, key: string, expression?: () => CelExpression | undefined,
  ): SecretOutput {
    return new SecretOutput(producer, outputName, secretName, key, expression);
  }

  /** The resource that exports the secret. */
  public readonly producer: IConstruct;

  /** Name of the secret output, e.g. `key1`. */
  public readonly outputName: string;

  private constructor(
    producer: IConstruct, outputName: string, secretName: string, key: string,
    private readonly expression?: () => CelExpression | undefined,
  ) {
    super(secretName, key);
    this.producer = producer;
    this.outputName = outputName;
  }

  /**
   * The value as an expression over its resource; undefined if it is not known.
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
    throw new Error(`The secret output '${this.outputName}' of '${this.producer.node.path}' cannot be a part of a text: a secret never stands in a manifest. Write SecretOutput.format('key=\${0}', output) for a text with it; give a container output.envValue, or a property that takes a secret the output itself.`);
  }
}

/** All keys of a Secret in the namespace of the resource that reads it. */
export class SecretMap {
  /**
   * All keys of a Secret that something else writes.
   * @param name name of the Secret
   */
  public static fromSecret(name: string): SecretMap {
    return new SecretMap(name);
  }

  /** Name of the Secret. */
  public readonly secretName: string;

  private constructor(secretName: string) {
    this.secretName = secretName;
  }
}
