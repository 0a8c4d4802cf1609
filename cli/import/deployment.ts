import type { FailedSource, FoundIds } from './found-ids';
import { describeArmError } from '../../engine/arm/arm-error';
import { readResource } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../../engine/arm/types';
import { listItems } from '../../engine/import/list-items';
import { isArmId } from '../../src/azure/arm-id';
import { isRecord, memberIgnoringCase } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const API_VERSION = '2022-09-01';
/** Operations of a deployment that are not `Read`, `Action` or the evaluation of its outputs. */
const MAKES = /^(create|createorupdate|deployment)/i;
const DEPLOYMENT = /\/providers\/microsoft\.resources\/deployments\/[^/]+$/i;

/**
 * The resources that a deployment made, those of nested deployments included. What a deployment that cannot be read has made stays unknown;
 * the rest is found.
 * @throws UsageError for an id of something else
 */
export async function idsOfDeployment(id: string, client: ArmClient, signal?: AbortSignal): Promise<FoundIds> {
  if (!DEPLOYMENT.test(id)) throw new UsageError(`import: ${id} is no id of a deployment; one ends in /providers/Microsoft.Resources/deployments/NAME`);
  const deployments = new Set([id]);
  const resources = new Set<string>();
  const failed: FailedSource[] = [];
  for (const deployment of deployments) {
    try {
      for await (const found of madeBy(deployment, client, signal)) {
        if (typeof found === 'string' && isArmId(found)) (DEPLOYMENT.test(found) ? deployments : resources).add(found);
      }
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      failed.push({ id: deployment, why: describeArmError(error) });
    }
  }
  return { ids: [...resources], failed };
}

/** The ids of resources that a deployment has made, itself. @throws ArmError where Azure does not show all of them */
async function* madeBy(id: string, client: ArmClient, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  const request: ArmRequest = { method: 'GET', url: id, apiVersion: API_VERSION };
  const answer = readResource(request, await client.send(request, signal));
  if (!answer) throw new ArmError('DeploymentNotFound', 'Azure has no such deployment');
  const properties = memberIgnoringCase(answer, 'properties');
  const list = isRecord(properties) ? memberIgnoringCase(properties, 'outputResources') : undefined;
  // One that failed, or is not done, has no such list; what it has made is in its operations.
  if (Array.isArray(list) && list.length > 0) yield* list.map(idIn);
  else yield* targetsOf(id, client, signal);
}

/** Resources that the operations of a deployment have made. */
async function* targetsOf(id: string, client: ArmClient, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  for await (const { properties } of listItems(client, `${id}/operations`, API_VERSION, signal)) {
    if (!isRecord(properties) || String(properties.provisioningState).toLowerCase() !== 'succeeded') continue;
    if (MAKES.test(String(properties.provisioningOperation))) yield idIn(properties.targetResource);
  }
}

function idIn(item: unknown): unknown {
  return isRecord(item) ? item.id : undefined;
}
