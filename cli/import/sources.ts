import { idsOfDeployment } from './deployment';
import type { FoundIds } from './found-ids';
import { idsOfQuery } from './query';
import { idsOfTerraformState } from './terraform-state';
import type { ArmClient } from '../../engine/arm/types';
import { armIdProblem, isArmId } from '../../src/azure/arm-id';
import { quotedText } from '../../src/azure/arm-segment';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { UsageError } from '../output/usage-error';

/** The options that name resources. */
export interface Sources {
  readonly query: readonly string[];
  readonly terraformState: readonly string[];
  readonly deployment: readonly string[];
  readonly subscription?: string;
}

interface Azure {
  readonly client: ArmClient;
  /** Where a query looks. */
  readonly subscription: string | undefined;
  readonly signal?: AbortSignal;
}

/** The ids that a command line means. @throws UsageError for texts that are no ids */
export async function idsOf(given: readonly string[], sources: Sources, { client, subscription, signal }: Azure): Promise<FoundIds> {
  const named = given.map(idOf);
  const found: FoundIds[] = [{ ids: [...named, ...sources.terraformState.flatMap(idsOfTerraformState)], failed: [] }];
  for (const deployment of sources.deployment.map(idOf)) found.push(await idsOfDeployment(deployment, client, signal));
  for (const query of sources.query) found.push(await idsOfQuery(query, subscription, client, signal));
  return { ids: found.flatMap(({ ids }) => ids), failed: found.flatMap(({ failed }) => failed) };
}

/** An id as people copy it: with a slash too many at its end, or the address of the portal around it. */
function idOf(text: string): string {
  const id = withoutTrailingSlashes(/^#(?:@[^/]+)?\/resource(\/.*?)(?:\/overview)?$/i.exec(text.slice(text.indexOf('#')))?.[1] ?? text.trim());
  const problem = isArmId(id) ? armIdProblem(id) : 'is no ARM id; one begins with /subscriptions/';
  if (problem !== undefined) throw new UsageError(`import: ${quotedText(text)} ${problem}`);
  return id;
}
