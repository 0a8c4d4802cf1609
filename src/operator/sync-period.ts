import { Duration } from 'cdk8s';

/**
 * How often an object that is in sync is compared with what Azure has, and sent again where others have changed something there.
 * @see https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/#azure_sync_period
 */
export class SyncPeriod {
  /**
   * Every so often. `cdk8s-aso capacity` tells what that costs in requests.
   * @param period more than zero
   * @throws when the period is not a whole number of seconds, or zero
   */
  public static every(period: Duration): SyncPeriod {
    const seconds = period.toMilliseconds() / 1000;
    if (!Number.isInteger(seconds) || seconds < 1) throw new Error(`SyncPeriod.every: ${period.toHumanString()} is no period. Give whole seconds, at least one; SyncPeriod.never() turns it off.`);
    return new SyncPeriod(`${seconds}s`);
  }

  /** Only when the object changes, or the controller starts. */
  public static never(): SyncPeriod {
    return new SyncPeriod('never');
  }

  /** As the setting `AZURE_SYNC_PERIOD` has it: `3600s`, `never`. */
  public readonly value: string;

  private constructor(value: string) {
    this.value = value;
  }
}
