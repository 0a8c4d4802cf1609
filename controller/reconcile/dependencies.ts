import { textOf } from './object-key';
import type { ObjectKey } from '../kubernetes/types';

/** What an object needs another one for. */
export type Use =
  /** As owner or by reference: its readiness or id. */
  | 'object'
  /** A Secret or ConfigMap whose data is in the spec. */
  | 'import'
  /** A Secret that holds a credential. */
  | 'credential';

export interface Dependent {
  readonly key: ObjectKey;
  readonly use: Use;
}

/** Who depends on whom, as the passes have found out: an edge is there from the moment that a pass asked for an object. */
export class Dependencies {
  /** Needed object → dependent → use. */
  private readonly dependents = new Map<string, Map<string, Dependent>>();
  private readonly needs = new Map<string, Set<string>>();

  public add(dependent: ObjectKey, needed: ObjectKey, use: Use): void {
    const from = textOf(dependent);
    const to = textOf(needed);
    const known = this.dependents.get(to) ?? new Map<string, Dependent>();
    this.dependents.set(to, known.set(`${from} ${use}`, { key: dependent, use }));
    const needs = this.needs.get(from) ?? new Set();
    this.needs.set(from, needs.add(to));
  }

  /** Forgets what the object needs: it is gone, or all its needs are about to be found anew. */
  public reset(dependent: ObjectKey): void {
    const from = textOf(dependent);
    for (const to of this.needs.get(from) ?? []) {
      const known = this.dependents.get(to);
      for (const [edge, { key }] of known ?? []) if (textOf(key) === from) known!.delete(edge);
      if (known?.size === 0) this.dependents.delete(to);
    }
    this.needs.delete(from);
  }

  public on(needed: ObjectKey): readonly Dependent[] {
    return [...(this.dependents.get(textOf(needed))?.values() ?? [])];
  }
}
