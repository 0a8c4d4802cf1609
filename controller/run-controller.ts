import { Manager } from './process/manager';
import { createParts } from './process/parts';
import type { RunOptions } from './process/run-options';

/**
 * Runs the controller until the signal aborts: watches, reconciles, and at the end lets running reconciles come to their end.
 *
 * @throws SettingsError, CredentialError, KubeconfigError, ListenError before anything was done; LeadershipLostError
 */
export async function runController(options: RunOptions, signal: AbortSignal): Promise<void> {
  const parts = await createParts(options);
  await new Manager(options, parts).run(signal);
}
