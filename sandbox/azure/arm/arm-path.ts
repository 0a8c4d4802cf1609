import { withoutTrailingSlashes } from '../../../src/azure/trailing-slashes';

/** One resource on the way from the root to a target: a subscription, a resource group, a resource, an extension of one. */
export interface ArmNode {
  /** As the request spells it. */
  readonly id: string;
  /** `Microsoft.Storage/storageAccounts/blobServices` */
  readonly type: string;
  readonly name: string;
}

/** The nodes from the root to a target, which is the last one. */
export type NodePath = readonly [ArmNode, ...ArmNode[]];

/** A request's path, taken apart. */
export interface ArmPath {
  /** From the root; the last one is the target, or that of which `tail` speaks. */
  readonly nodes: readonly ArmNode[];
  /** The path after the last complete resource: a collection, an action, `providers/<namespace>` … */
  readonly tail: string[];
}

export const SUBSCRIPTION = 'Microsoft.Resources/subscriptions';
export const RESOURCE_GROUP = 'Microsoft.Resources/resourceGroups';

/** ARM ids are equal whatever their case. */
export const keyOf = (id: string): string => withoutTrailingSlashes(id.toLowerCase());

export function hasTarget(nodes: readonly ArmNode[]): nodes is NodePath {
  return nodes.length > 0;
}

export function targetOf(nodes: NodePath): ArmNode {
  return nodes.at(-1) ?? nodes[0];
}

const isSegment = (segment: string | undefined, word: string): boolean => segment?.toLowerCase() === word;

/** Takes a path apart. Never fails: what it does not know is in the tail. */
export function parseArmPath(path: string): ArmPath {
  const segments = path.split('/').filter((segment) => segment !== '').map(decoded);
  const nodes: ArmNode[] = [];
  const node = (end: number, type: string) => nodes.push({ id: `/${segments.slice(0, end).join('/')}`, type, name: segments[end - 1] ?? '' });
  let at = 0;
  if (isSegment(segments[0], 'subscriptions') && segments.length >= 2) {
    node(at += 2, SUBSCRIPTION);
    if (isSegment(segments[2], 'resourcegroups') && segments.length >= 4) node(at += 2, RESOURCE_GROUP);
  }
  while (isSegment(segments[at], 'providers') && at + 3 < segments.length) {
    let type = segments[at + 1];
    at += 2;
    while (at + 1 < segments.length && !isSegment(segments[at], 'providers')) {
      type = `${type}/${segments[at]}`;
      node(at += 2, type);
    }
  }
  return { nodes, tail: segments.slice(at) };
}

/**
 * The names of a node's own type, without those of what it extends: `account/default` of `…/storageAccounts/account/blobServices/default`.
 */
export function namesOf(node: ArmNode): string {
  const segments = node.id.split('/');
  const depth = node.type.split('/').length - 1;
  return segments.slice(-2 * depth).filter((_, index) => index % 2 === 1).join('/');
}

/** Whether the node is a child within the type of the node before it (and not an extension resource or a resource of a group). */
export function isNested(node: ArmNode): boolean {
  return node.type.split('/').length > 2;
}

export function resourceGroupOf(nodes: readonly ArmNode[]): string | undefined {
  return nodes.find((node) => node.type === RESOURCE_GROUP)?.name;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
