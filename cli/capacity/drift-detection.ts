import { NOTHING, plus, type RequestCost, type Requests } from './request-cost';
import { EARLIEST_FULL_READ, FULL_READ_PERIOD_MS, JITTER, MOST_IDS_OF_QUERY } from '../../engine/schedule';
import { resourceGraphTableOf } from '../../src/azure/resource-graph-tables';

/** An object whose requests are charged to one token bucket. */
export interface BatchedObject {
  readonly armType: string;
  /** Absent: not known. The object then counts as the only one of its collection. */
  readonly armId?: string | undefined;
  readonly cost: RequestCost;
}

/** Requests of one sync period with batch drift detection. */
export interface BatchedPeriod {
  /** Requests that count against the limits of Azure Resource Manager. */
  readonly sync: Requests;
  /** Queries to Azure Resource Graph, which has a limit of its own. */
  readonly queries: number;
}

/** Batch queries per sync period: the first object that is due starts a round. */
const ROUNDS = 1 / (1 - JITTER);
/** Rows in a page of a list; most providers use this size. */
const PAGE = 100;

/** The requests of all objects of a bucket in one sync period (milliseconds) in which nothing changes. */
export function batchedPeriod(objects: readonly BatchedObject[], syncPeriod: number): BatchedPeriod {
  const alone: Requests[] = [];
  const tables = new Map<string, number>();
  const collections = new Map<string, BatchedObject[]>();
  for (const object of objects) {
    const table = resourceGraphTableOf(object.armType);
    if (!object.cost.canBeBatched) {
      alone.push(object.cost.sync);
    } else if (table !== undefined) {
      tables.set(table, (tables.get(table) ?? 0) + 1);
    } else {
      const { armId } = object;
      const collection = armId === undefined ? String(collections.size) : armId.slice(0, armId.lastIndexOf('/')).toLowerCase();
      collections.set(collection, [...(collections.get(collection) ?? []), object]);
    }
  }
  let lists = 0;
  let batched = [...tables.values()].reduce((sum, count) => sum + count, 0);
  for (const members of collections.values()) {
    const [first, second] = members;
    if (first && !second) {
      alone.push(first.cost.sync);
    } else {
      lists += Math.ceil(members.length / PAGE) * ROUNDS;
      batched += members.length;
    }
  }
  const queries = [...tables.values()].reduce((sum, count) => sum + Math.ceil(count / MOST_IDS_OF_QUERY), 0) * ROUNDS;
  return { sync: plus(...alone, { reads: lists + batched * fullReads(syncPeriod), writes: 0 }), queries };
}

/** The average share of resources that the controller reads one by one in a sync period; at most 1. */
function fullReads(syncPeriod: number): number {
  return Math.min(1, syncPeriod / (FULL_READ_PERIOD_MS * ((1 + EARLIEST_FULL_READ) / 2)));
}

/** Like `batchedPeriod`; without a sync period there are neither requests nor queries. */
export function batchedLoad(objects: readonly BatchedObject[], syncPeriod: number | undefined): BatchedPeriod {
  return syncPeriod === undefined ? { sync: NOTHING, queries: 0 } : batchedPeriod(objects, syncPeriod);
}
