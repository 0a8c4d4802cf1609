import { keyOf } from '../arm/arm-path';

const PATH = '/providers/microsoft.resourcegraph/resources';

/** Whether a request is for Azure Resource Graph. */
export function isResourceGraph(method: string, path: string): boolean {
  return method === 'POST' && keyOf(path) === PATH;
}
