import type { NodeState } from '../../engine/inspect/types';
import type { WireDetail, WireLink } from '../wire';

/** A box of the drawing. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly key?: string | undefined;
  readonly state?: NodeState | undefined;
  readonly isCentre: boolean;
  /** Absent: an object. */
  readonly more?: number | undefined;
}

/** A line from what needs to what is needed. */
export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly meaning: 'owns' | 'refers';
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

export const BOX_WIDTH = 158;
export const BOX_HEIGHT = 40;
const GAP_X = 32;
const GAP_Y = 14;
const MARGIN = 3;
const MOST_IN_COLUMN = 8;

/**
 * An object with what is next to it: what it needs (owners, references) on the left, what needs it (children, users) on the right.
 */
export function neighbourhood({ node, owners, references, children, moreChildren, usedBy, moreUsedBy }: WireDetail): Drawing {
  const needs = column([...tagged(owners.slice(0, 1), 'owns'), ...tagged(references, 'refers')], 0);
  const needed = column([...tagged(children, 'owns'), ...tagged(usedBy, 'refers')], moreChildren + moreUsedBy);
  const rows = Math.max(needs.length, needed.length, 1);
  const height = rows * (BOX_HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN;
  const columns = [needs.length > 0 ? 1 : 0, 1, needed.length > 0 ? 1 : 0];
  const left = MARGIN + (columns[0] === 1 ? BOX_WIDTH + GAP_X : 0);
  const centre: Box = { x: left, y: middle(1, 0, height), title: `${node.kind} ${node.name}`, key: node.key, state: node.state, isCentre: true };
  const placed = (items: readonly Item[], x: number) => items.map((item, index): readonly [Item, Box] => [item, {
    x, y: middle(items.length, index, height), title: item.link.title.replace(` ${node.namespace}/`, ' '), key: item.link.key, state: item.link.state, isCentre: false, more: item.more,
  }]);
  const before = placed(needs, MARGIN);
  const after = placed(needed, left + BOX_WIDTH + GAP_X);
  return {
    width: 2 * MARGIN + BOX_WIDTH + (columns[0]! + columns[2]!) * (BOX_WIDTH + GAP_X),
    height,
    boxes: [...before.map(([, box]) => box), centre, ...after.map(([, box]) => box)],
    lines: [
      ...before.map(([{ meaning }, box]): Line => ({ from: box, to: centre, meaning })),
      ...after.map(([{ meaning }, box]): Line => ({ from: centre, to: box, meaning })),
    ],
  };
}

interface Item {
  readonly link: WireLink;
  readonly meaning: Line['meaning'];
  readonly more?: number | undefined;
}

function tagged(links: readonly WireLink[], meaning: Line['meaning']): Item[] {
  return links.map((link) => ({ link, meaning }));
}

/** As many as fit, what is not settled first, and a box for the others. */
function column(items: readonly Item[], others: number): Item[] {
  const unique = [...new Map(items.map((item) => [`${item.link.key ?? item.link.title} ${item.meaning}`, item])).values()];
  const sorted = unique.sort((a, b) => rank(a.link) - rank(b.link));
  if (sorted.length + others <= MOST_IN_COLUMN) return sorted;
  const more = sorted.length + others - MOST_IN_COLUMN + 1;
  return [...sorted.slice(0, MOST_IN_COLUMN - 1), { link: { title: `${more} more` }, meaning: 'owns', more }];
}

function rank({ state }: WireLink): number {
  return state === undefined ? 0 : state === 'Ready' || state === 'Suspended' ? 2 : 1;
}

function middle(count: number, index: number, height: number): number {
  const whole = count * (BOX_HEIGHT + GAP_Y) - GAP_Y;
  return (height - whole) / 2 + index * (BOX_HEIGHT + GAP_Y);
}
