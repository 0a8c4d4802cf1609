import { isSettled, NODE_STATES } from '../../engine/inspect/types';
import type { WireNode } from '../wire';

/** A row of the tree or the list. */
export interface Row {
  /** `node:KEY` or `namespace:NAME`. */
  readonly id: string;
  /** From 1. */
  readonly level: number;
  readonly title: string;
  /** Absent: a namespace. */
  readonly node?: WireNode | undefined;
  /** Undefined: it has nothing below it. */
  readonly isOpen?: boolean | undefined;
  /** Whether it is wanted itself, and not only leads to what is. */
  readonly isMatch: boolean;
  /** Objects below it that are shown, and those of them that are not settled. */
  readonly below: number;
  readonly unsettledBelow: number;
  /** Place among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
}

export interface TreeOptions {
  readonly matches: (node: WireNode) => boolean;
  /** Rows that the user has opened or closed. */
  readonly opened: ReadonlyMap<string, boolean>;
  /** Whether all that leads to a match is open, instead of all that leads to what is not settled. */
  readonly isFiltered: boolean;
}

/** So many objects are all open at the beginning. */
const FEW = 150;

interface Branch {
  readonly node: WireNode;
  readonly children: Branch[];
  isMatch: boolean;
  /** Matches and unsettled matches in the whole subtree, itself included. */
  matches: number;
  unsettled: number;
}

/** The rows of the owner graph that are visible now. Iterative: owners may form chains of any length, and cycles. */
export function treeRows(nodes: readonly WireNode[], { matches, opened, isFiltered }: TreeOptions): Row[] {
  const roots = forest(nodes, matches);
  const isSmall = nodes.length <= FEW;
  const rows: Row[] = [];
  const namespaces = new Map<string, Branch[]>();
  for (const root of roots) {
    if (root.matches === 0) continue;
    const members = namespaces.get(root.node.namespace);
    if (members) members.push(root);
    else namespaces.set(root.node.namespace, [root]);
  }
  const names = [...namespaces.keys()].sort();
  for (const [index, name] of names.entries()) {
    const members = namespaces.get(name) ?? [];
    const id = `namespace:${name}`;
    const unsettled = sum(members, (branch) => branch.unsettled);
    const isOpen = opened.get(id) ?? (isSmall || isFiltered || unsettled > 0 || names.length === 1);
    rows.push({
      id,
      level: 1,
      title: name,
      isOpen,
      isMatch: true,
      below: sum(members, (branch) => branch.matches),
      unsettledBelow: unsettled,
      position: index + 1,
      siblings: names.length,
    });
    if (isOpen) pushBranches(rows, members, { opened, isFiltered, isSmall });
  }
  return rows;
}

/** The wanted nodes without their owners, the most urgent first, and of those the ones that have been so for the longest time. */
export function listRows(nodes: readonly WireNode[], matches: (node: WireNode) => boolean): Row[] {
  const urgency = new Map(NODE_STATES.map((state, index) => [state, index]));
  const urgencyOf = ({ state }: WireNode) => urgency.get(state) ?? 0;
  const wanted = nodes.filter(matches).sort((a, b) => urgencyOf(a) - urgencyOf(b) || (a.since ?? 0) - (b.since ?? 0));
  return wanted.map((node, index) => ({
    id: `node:${node.key}`,
    level: 1,
    title: `${node.kind} ${node.namespace}/${node.name}`,
    node,
    isMatch: true,
    below: 0,
    unsettledBelow: 0,
    position: index + 1,
    siblings: wanted.length,
  }));
}

/** Ids of the rows that have to be open to see a node. */
export function pathTo(node: WireNode, byKey: ReadonlyMap<string, WireNode>): string[] {
  const path: string[] = [];
  const seen = new Set([node.key]);
  let top = node;
  for (let owner = ownerOf(node, byKey); owner && !seen.has(owner.key); owner = ownerOf(owner, byKey)) {
    seen.add(owner.key);
    path.push(`node:${owner.key}`);
    top = owner;
  }
  return [`namespace:${top.namespace}`, ...path.reverse()];
}

function ownerOf({ owner }: WireNode, byKey: ReadonlyMap<string, WireNode>): WireNode | undefined {
  return owner === undefined ? undefined : byKey.get(owner);
}

function pushBranches(
  rows: Row[], roots: readonly Branch[], { opened, isFiltered, isSmall }: Omit<TreeOptions, 'matches'> & { readonly isSmall: boolean },
): void {
  const stack = entriesOf(roots, 2);
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { branch, level, position, siblings } = entry;
    const id = `node:${branch.node.key}`;
    const own = branch.isMatch ? 1 : 0;
    const below = branch.matches - own;
    const unsettledBelow = branch.unsettled - (branch.isMatch && !isSettled(branch.node.state) ? 1 : 0);
    const isOpen = below === 0 ? undefined : opened.get(id) ?? (isSmall || isFiltered || unsettledBelow > 0);
    rows.push({
      id, level, title: `${branch.node.kind} ${branch.node.name}`, node: branch.node, isOpen, isMatch: branch.isMatch, below, unsettledBelow, position, siblings,
    });
    if (isOpen === true) stack.push(...entriesOf(branch.children, level + 1));
  }
}

/** The last one first, since they are taken from the end. */
function entriesOf(branches: readonly Branch[], level: number) {
  const shown = branches.filter((branch) => branch.matches > 0);
  return shown.map((branch, index) => ({ branch, level, position: index + 1, siblings: shown.length })).reverse();
}

/** The nodes below their owners. A cycle of owners begins at its first node. */
function forest(nodes: readonly WireNode[], matches: (node: WireNode) => boolean): Branch[] {
  const branches = new Map(nodes.map((node): [string, Branch] => [
    node.key, { node, children: [], isMatch: matches(node), matches: 0, unsettled: 0 },
  ]));
  const children = new Map<string, Branch[]>();
  const roots: Branch[] = [];
  for (const branch of branches.values()) {
    const { owner } = branch.node;
    if (owner === undefined || !branches.has(owner)) {
      roots.push(branch);
      continue;
    }
    const siblings = children.get(owner);
    if (siblings) siblings.push(branch);
    else children.set(owner, [branch]);
  }
  const reached = new Set<string>();
  for (const root of roots) grow(root, children, reached);
  for (const branch of branches.values()) {
    if (reached.has(branch.node.key)) continue;
    roots.push(branch);
    grow(branch, children, reached);
  }
  return roots;
}

function grow(root: Branch, children: ReadonlyMap<string, Branch[]>, reached: Set<string>): void {
  const order: Branch[] = [];
  const stack = [root];
  reached.add(root.node.key);
  for (let branch = stack.pop(); branch; branch = stack.pop()) {
    order.push(branch);
    for (const child of children.get(branch.node.key) ?? []) {
      if (reached.has(child.node.key)) continue;
      reached.add(child.node.key);
      branch.children.push(child);
      stack.push(child);
    }
  }
  for (const branch of order.reverse()) {
    branch.matches = sum(branch.children, (child) => child.matches) + (branch.isMatch ? 1 : 0);
    branch.unsettled = sum(branch.children, (child) => child.unsettled) + (branch.isMatch && !isSettled(branch.node.state) ? 1 : 0);
  }
}

function sum(branches: readonly Branch[], of: (branch: Branch) => number): number {
  return branches.reduce((total, branch) => total + of(branch), 0);
}
