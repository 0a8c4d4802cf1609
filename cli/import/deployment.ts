import { describeArmError } from '../../engine/arm/arm-error';
import { readResource } from '../../engine/arm/arm-reader';
import { ArmError, type ArmClient, type ArmRequest } from '../../engine/arm/types';
import { memberIgnoringCase } from '../../engine/convert/json';
import { isArmId } from '../../src/azure/arm-id';
import { isRecord } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const API_VERSION = '2022-09-01';
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
    const found = (Array.isArray(list) ? list : []).map((item) => (isRecord(item) ? item.id : undefined));
    return found.filter((made): made is string => typeof made === 'string' && isArmId(made));
  } catch (error) {
    if (error instanceof ArmError) throw new UsageError(`import: the deployment ${id} cannot be read: ${describeArmError(error)}`);
    throw error;
  }
}
