import type { ResourceType } from '../../engine/kubernetes';
import { annotation } from '../../engine/objects/annotations';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { isSettled } from '../../test/e2e/kill/losses';
import type { BenchEnvironment } from '../shared/environment/environment';
import type { TestedController } from '../shared/environment/tested-controller';

/** The differences between the controller's view, the API's list and Azure, a line each; none: no event was missed. */
export async function missedOf(
  environment: BenchEnvironment,
  controller: TestedController,
  types: readonly ResourceType[],
): Promise<string[]> {
  const lists = await Promise.all(types.map(async (type) => ({ type, items: (await environment.client.list(type, {})).items })));
  const metrics = await controller.metrics();
  const objects = lists.flatMap(({ items }) => items);
  const ids = new Set(objects.map((object) => (annotation(object, RESOURCE_ID) ?? '').toLowerCase()));
  const there = new Set((await environment.resources()).map((id) => id.toLowerCase()));
  return [
    ...objects
      .filter((object) => !isSettled(object) || object.metadata.deletionTimestamp)
      .map(
        ({ kind, metadata, status }) =>
          `${kind} ${metadata.namespace}/${metadata.name} is not in its wanted state: ${JSON.stringify(status?.conditions)}`,
      ),
    ...lists.flatMap(({ type, items }) => {
      const known = knownTo(metrics, type);
      return known === items.length ? [] : [`the controller knows ${known} ${type.plural}, the API has ${items.length}`];
    }),
    ...[...ids].filter((id) => !there.has(id)).map((id) => `${id} is not in Azure`),
    ...[...there].filter((id) => !ids.has(id)).map((id) => `${id} is in Azure, and no object is for it`),
  ];
}

function knownTo(metrics: string, { kind, group }: ResourceType): number {
  const series = metrics.split('\n').filter((line) => line.startsWith('cdk8s_aso_resources{') && line.includes(`kind="${kind}.${group}"`));
  return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
