import { Duration } from 'cdk8s';

/**
 * Interval at which the controller compares an object in sync with its Azure resource, and sends the object again after drift.
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/#azure_sync_period
 */
export class SyncPeriod {
  /**
   * Compares at an interval. `cdk8s-aso capacity` reports the number of requests.
   * @param period more than zero
   * @throws when the period is not a whole number of seconds, or zero
   */
  public static every(period: Duration): SyncPeriod {
    const seconds = period.toMilliseconds() / 1000;
    if (!Number.isInteger(seconds) || seconds < 1) {
      throw new Error(
        `SyncPeriod.every: ${period.toHumanString()} is no period. Give whole seconds, at least one; SyncPeriod.never() turns it off.`,
      );
    }
    return new SyncPeriod(`${seconds}s`);
  }

  /** Compares only when the object changes or the controller starts. */
  public static never(): SyncPeriod {
    return new SyncPeriod('never');
  }

  /** The value of the setting `AZURE_SYNC_PERIOD`: `3600s`, `never`. */
  public readonly value: string;

  private constructor(value: string) {
    this.value = value;
  }
}
