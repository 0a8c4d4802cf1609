import type { OperationStyle } from './behaviour';
import { keyOf } from '../arm/arm-path';

/** Why a long-running operation is to fail. */
export interface OperationFailure {
  readonly code: string;
  readonly message: string;
  /** The state of the operation, and of its resource. Default: Failed. */
  readonly state?: 'Canceled';
}

export type OperationKind = 'create' | 'update' | 'delete';

/** A long-running operation. Its state is a function of the time alone. */
export interface Operation {
  readonly guid: string;
  readonly kind: OperationKind;
  readonly style: OperationStyle;
  readonly resourceId: string;
  readonly startedAt: number;
  readonly endsAt: number;
  /** Seconds, already scaled. */
  readonly retryAfter?: number | undefined;
  /** Path and query of the URL that tells the state, by style. */
  readonly statusUrl: string;
  readonly resultUrl: string;
  readonly failure?: OperationFailure | undefined;
  /** The name of the way in which its URL answers; undefined: as always. */
  readonly ending?: string | undefined;
}

export class Operations {
  private readonly byGuid = new Map<string, Operation>();
  private readonly running = new Map<string, Operation>();

  public begin(operation: Operation): void {
    this.byGuid.set(operation.guid, operation);
    this.running.set(keyOf(operation.resourceId), operation);
  }

  public find(guid: string): Operation | undefined {
    return this.byGuid.get(guid.toLowerCase());
  }

  /** The operation that runs on a resource now. */
  public runningOn(id: string): Operation | undefined {
    return this.running.get(keyOf(id));
  }

  /** An operation that runs now on a resource whose id, in lower case, is one of these. */
  public runningWhere(isOne: (id: string) => boolean): Operation | undefined {
    for (const [id, operation] of this.running) if (isOne(id)) return operation;
    return undefined;
  }

  /** Takes the operations that have ended by now, oldest end first. Each is taken once. */
  public takeEnded(now: number): Operation[] {
    const ended = [...this.running.values()].filter((operation) => operation.endsAt <= now).sort((a, b) => a.endsAt - b.endsAt);
    for (const operation of ended) this.running.delete(keyOf(operation.resourceId));
    return ended;
  }

  /** Forgets what ran on resources that are gone; polling them goes on to tell the outcome. */
  public forget(ids: readonly string[]): void {
    for (const id of ids) this.running.delete(keyOf(id));
  }

  public get runningCount(): number {
    return this.running.size;
  }
}
