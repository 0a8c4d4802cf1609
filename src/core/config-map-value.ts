import type { EnvValue } from 'cdk8s-plus-27';
import { configMapEnvValue } from './env-value';

/** The value under one key of a ConfigMap in the namespace of the resource or pod that reads it. Every `…FromConfig` property takes one. */
export class ConfigMapValue {
  /**
   * A key of a ConfigMap that something else writes.
   * @param name name of the ConfigMap
   * @param key the key
   */
  public static fromConfigMap(name: string, key: string): ConfigMapValue {
    return new ConfigMapValue(name, key);
  }

  static {
    // cdk8s resolves what has a `resolve`, JSON.stringify asks for `toJSON`: neither may write the object in the place of its value.
    for (const name of ['resolve', 'toJSON']) {
      Object.defineProperty(this.prototype, name, { value(this: ConfigMapValue) { return this.toString(); } });
    }
  }

  /** Name of the ConfigMap. */
  public readonly configMapName: string;

  /** Key in the ConfigMap. */
  public readonly key: string;

  protected constructor(configMapName: string, key: string) {
    this.configMapName = configMapName;
    this.key = key;
  }

  /** The value as an environment variable of a container (cdk8s-plus). The pod waits until the ConfigMap has the key. */
  public get envValue(): EnvValue {
    return configMapEnvValue(this.configMapName, this.key);
  }

  /**
   * A text cannot have the value, which is known in the cluster only.
   * @throws always, with what to write instead
   */
  public toString(): string {
    throw new Error(`The key '${this.key}' of the ConfigMap '${this.configMapName}' cannot be a part of a text: its value is known in the cluster only. Give a container its envValue, or a …FromConfig property the object itself.`);
  }
}
