import { CriticalPathIndex } from './critical-path-index';
import { dependenciesInSpec } from './dependencies-in-spec';
import { keyOf, textOf } from './object-key';
import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes/types';

interface Known {
  readonly uid?: string;
  readonly generation?: number;
  readonly gives: readonly string[];
}

/**
 * How long the chain of objects is that wait for an object, by what their specs say. Objects that are as their specs want wait for nothing,
 * so at rest this holds nothing.
 */
export class WaitingObjects {
  private readonly chains: CriticalPathIndex;
  private readonly known = new Map<string, Known>();
  /** Secret or ConfigMap → who writes it. */
  private readonly givers = new Map<string, Set<string>>();

  /** @param onChange told of the text of the key of an object whose rank has changed */
  public constructor(onChange: (text: string) => void = () => undefined) {
    this.chains = new CriticalPathIndex(onChange);
  }

  /** The longest chain of objects that wait for it, directly or for one that does. */
  public rankOf(key: ObjectKey): number {
    return this.chains.lengthOf(textOf(key));
  }

  /** The object waits to become as its spec wants. */
  public waits(object: KubernetesObject): void {
    const text = textOf(keyOf(object));
    const { uid, generation } = object.metadata;
    const known = this.known.get(text);
    if (known && known.uid === uid && known.generation === generation) return;
    const { needs, gives } = dependenciesInSpec(object);
    this.forgetGifts(text, known);
    this.known.set(text, { uid, generation, gives });
    this.chains.set(text, needs);
    for (const data of gives) this.setGivers(data, (givers) => givers.add(text));
  }

  /** The object is as its spec wants, or gone. */
  public waitsNoMore(key: ObjectKey): void {
    const text = textOf(key);
    const known = this.known.get(text);
    if (!known) return;
    this.known.delete(text);
    this.chains.delete(text);
    this.forgetGifts(text, known);
  }

  private forgetGifts(text: string, known: Known | undefined): void {
    for (const data of known?.gives ?? []) this.setGivers(data, (givers) => givers.delete(text));
  }

  /** Who waits for data waits for those that write it; the data itself is no link of the chain. */
  private setGivers(data: string, change: (givers: Set<string>) => void): void {
    const givers = this.givers.get(data) ?? new Set();
    change(givers);
    if (givers.size > 0) this.givers.set(data, givers);
    else this.givers.delete(data);
    this.chains.set(data, givers, 0);
  }
}
