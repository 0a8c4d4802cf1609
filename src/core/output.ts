import { IConstruct } from 'constructs';
import { ConfigMapValue } from './config-map-value';

/**
 * A value that exists only after Azure has created the resource, e.g. the principal id of an identity. Reading the property makes the
 * resource export the value to a ConfigMap; a `…FromConfig` property or a container imports it from there.
 */
export class Output extends ConfigMapValue {
  /** @internal */
  public static _of(producer: IConstruct, outputName: string, configMapName: string, key: string): Output {
    return new Output(producer, outputName, configMapName, key);
  }

  /** The resource that exports the value. */
  public readonly producer: IConstruct;

  /** Name of the output, e.g. `principalId`. */
  public readonly outputName: string;

  private constructor(producer: IConstruct, outputName: string, configMapName: string, key: string) {
    super(configMapName, key);
    this.producer = producer;
    this.outputName = outputName;
  }
}
