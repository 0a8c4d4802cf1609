import { describeArmError } from '../../engine/arm/arm-error';
import { readPage, readResource } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../../engine/arm/types';
import { memberIgnoringCase } from '../../engine/convert/json';
import { isArmId } from '../../src/azure/arm-id';
import { isRecord } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const API_VERSION = '2022-09-01';
/** Operations of a deployment that are not `Read`, `Action` or the evaluation of its outputs. */
const MAKES = /^(create|createorupdate|deployment)/i;
const DEPLOYMENT = /\/providers\/microsoft\.resources\/deployments\/[^/]+$/i;

/**
 * The resources that a deployment made, those of nested deployments included.
 * @throws UsageError where there is no such deployment, or Azure does not show it
 */
export async function idsOfDeployment(id: string, client: ArmClient): Promise<string[]> {
  if (!DEPLOYMENT.test(id)) throw new UsageError(`import: ${id} is no id of a deployment; one ends in /providers/Microsoft.Resources/deployments/NAME`);
  const deployments = new Set([id]);
  const resources = new Set<string>();
  for (const deployment of deployments) {
    for (const found of await outputResources(deployment, client)) (DEPLOYMENT.test(found) ? deployments : resources).add(found);
  }
  return [...resources];
}

async function outputResources(id: string, client: ArmClient): Promise<string[]> {
  const request: ArmRequest = { method: 'GET', url: id, apiVersion: API_VERSION };
  try {
    const answer = readResource(request, await client.send(request));
    if (!answer) throw new UsageError(`import: there is no deployment ${id}`);
    const properties = memberIgnoringCase(answer, 'properties');
    const list = isRecord(properties) ? memberIgnoringCase(properties, 'outputResources') : undefined;
    // One that failed, or is not done, has no such list; what it has made is in its operations.
    const found = Array.isArray(list) && list.length > 0 ? list.map(idIn) : await targetsOf(id, client);
    return found.filter((made): made is string => typeof made === 'string' && isArmId(made));
  } catch (error) {
    if (error instanceof ArmError) throw new UsageError(`import: the deployment ${id} cannot be read: ${describeArmError(error)}`);
    throw error;
  }
}

/** Resources that the operations of a deployment have made. */
async function targetsOf(id: string, client: ArmClient): Promise<unknown[]> {
  const targets: unknown[] = [];
  const links = new Set<string>();
  let request: ArmRequest | undefined = { method: 'GET', url: `${id}/operations`, apiVersion: API_VERSION };
  while (request) {
    const page = readPage(request, await client.send(request));
    for (const { properties } of page.items) {
      if (!isRecord(properties) || String(properties.provisioningState).toLowerCase() !== 'succeeded') continue;
      if (MAKES.test(String(properties.provisioningOperation))) targets.push(idIn(properties.targetResource));
    }
    const { next }: { readonly next?: string | undefined } = page;
    request = next === undefined || links.has(next) ? undefined : { ...request, url: next };
    if (next !== undefined) links.add(next);
  }
  return targets;
}

function idIn(item: unknown): unknown {
  return isRecord(item) ? item.id : undefined;
}
