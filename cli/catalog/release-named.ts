import { AsoRelease } from '../../src/core/versions/aso-release';
import { UsageError } from '../output/usage-error';

/**
 * The name of a release of Azure Service Operator that an option gives: `v2.9.0` for `2.9`.
 * @throws UsageError when there is no such release
 */
export function releaseNamed(option: string, text: string): string {
  try {
    return AsoRelease.of(text).name;
  } catch (error) {
    throw new UsageError(`${option} ${text}: ${(error as Error).message.replace(/^AsoRelease\.of: /, '')}`);
  }
}
