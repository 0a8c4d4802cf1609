import type { EnvValue } from 'cdk8s-plus-27';
import { IConstruct } from 'constructs';
import { secretEnvValue } from './env-value';

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
}

/** A secret that Azure creates with the resource, e.g. an access key, exported to a Secret. */
export class SecretOutput extends SecretValue {
  /** @internal */
  public static _of(producer: IConstruct, outputName: string, secretName: string, key: string): SecretOutput {
    return new SecretOutput(producer, outputName, secretName, key);
  }

  /** The resource that exports the secret. */
  public readonly producer: IConstruct;

  /** Name of the secret output, e.g. `key1`. */
  public readonly outputName: string;

  private constructor(producer: IConstruct, outputName: string, secretName: string, key: string) {
    super(secretName, key);
    this.producer = producer;
    this.outputName = outputName;
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
