import { textOf } from './object-key';
import { WaitingObjects } from './waiting-objects';
import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';

/** What an object needs another one for. */
export type Use =
  /** As owner or by reference: its readiness or id. */
  | 'object'
  /** A Secret or ConfigMap whose data is in the spec. */
  | 'import'
  /** A Secret that holds a credential. */
  | 'credential';

const USES: readonly Use[] = ['object', 'import', 'credential'];

const edgeOf = (dependent: string, use: Use) => `${dependent} ${use}`;

export interface Dependent {
  readonly key: ObjectKey;
  readonly use: Use;
}

/** Who depends on whom, as the reconciles have found out: an edge is there from the moment that a reconcile asked for an object. */
export class Dependencies {
  /** Needed object → dependent and use. */
  private readonly dependents = new Map<string, Map<string, Dependent>>();
  private readonly needs = new Map<string, Set<string>>();
  private readonly waiting = new WaitingObjects((text) => this.onRank(text));
  private onRank: (text: string) => void = () => undefined;

  public add(dependent: ObjectKey, needed: ObjectKey, use: Use): void {
    const from = textOf(dependent);
    const to = textOf(needed);
    const edge = edgeOf(from, use);
    let known = this.dependents.get(to);
    if (known?.has(edge)) return;
    if (!known) this.dependents.set(to, (known = new Map()));
    known.set(edge, { key: dependent, use });
    let needs = this.needs.get(from);
    if (!needs) this.needs.set(from, (needs = new Set()));
    needs.add(to);
  }

  /** Forgets what the object needs: it is gone, or all its needs are about to be found anew. */
  public reset(dependent: ObjectKey): void {
    const from = textOf(dependent);
    for (const to of this.needs.get(from) ?? []) {
      const known = this.dependents.get(to);
      // Thousands may need the same Secret: nobody goes through them all.
      for (const use of USES) known?.delete(edgeOf(from, use));
      if (known?.size === 0) this.dependents.delete(to);
    }
    this.needs.delete(from);
  }

  public on(needed: ObjectKey): readonly Dependent[] {
    return [...(this.dependents.get(textOf(needed))?.values() ?? [])];
  }

  /** The object waits to become as its spec wants, and so do those that wait for it: known by the specs, before any reconcile. */
  public waits(object: KubernetesObject): void {
    this.waiting.waits(object);
  }

  /** The object is as its spec wants, or gone. */
  public waitsNoMore(key: ObjectKey): void {
    this.waiting.waitsNoMore(key);
  }

  /** How long the longest chain is of objects that wait for this one and for each other. */
  public rankOf(key: ObjectKey): number {
    return this.waiting.rankOf(key);
  }

  /** Tells of keys, as text, whose rank has changed. */
  public onRankChanged(listener: (text: string) => void): void {
    this.onRank = listener;
  }
}
