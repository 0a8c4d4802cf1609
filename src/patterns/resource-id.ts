import { Chart } from 'cdk8s';
import type { AzureResource } from '../core';

/** A name for what belongs to a resource, in a construct that has the like of several: the path of the resource in its chart. */
export function idOfResource({ node }: AzureResource): string {
  const chart = node.scopes.find((scope) => Chart.isChart(scope));
  return node.scopes.slice(node.scopes.indexOf(chart!) + 1).map((scope) => scope.node.id).join('-');
}
