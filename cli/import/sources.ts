import { idsOfDeployment } from './deployment';
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
}

/** The ids that a command line means. @throws UsageError for texts that are no ids */
export async function idsOf(given: readonly string[], sources: Sources, { client, subscription }: Azure): Promise<string[]> {
  const ids = given.map(idOf);
  for (const file of sources.terraformState) ids.push(...idsOfTerraformState(file));
  for (const deployment of sources.deployment) ids.push(...(await idsOfDeployment(idOf(deployment), client)));
  for (const query of sources.query) ids.push(...(await idsOfQuery(query, subscription, client)));
  return ids;
}

/** An id as people copy it: with a slash too many at its end, or the address of the portal around it. */
function idOf(text: string): string {
  const id = withoutTrailingSlashes(/^#(?:@[^/]+)?\/resource(\/.*?)(?:\/overview)?$/i.exec(text.slice(text.indexOf('#')))?.[1] ?? text.trim());
  const problem = isArmId(id) ? armIdProblem(id) : 'is no ARM id; one begins with /subscriptions/';
  if (problem !== undefined) throw new UsageError(`import: ${quotedText(text)} ${problem}`);
  return id;
}
