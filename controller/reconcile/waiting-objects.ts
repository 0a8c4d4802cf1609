import { CriticalPathIndex, LONGEST_CHAIN } from './critical-path-index';
import { dependenciesInSpec } from './dependencies-in-spec';
import { sharedKeyOf } from './object-key';
import { usualOperationMs } from '../../engine/kinds/operation-times';
import { parentLockRuleOf } from '../../engine/kinds/serial-writes';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { versionOf } from '../../engine/resolve/kind-of';
import { type ObjectId, objectIdOf } from '../../src/object-id';

/** Milliseconds of an operation that count as much as another object in the chain. */
const LINK_MS = 10_000;

interface Known {
  /** The object's share of the length of its chain: one, and one for each ten seconds that its operation usually takes. */
  readonly weight: number;
  readonly uid?: string | undefined;
  readonly generation?: number | undefined;
  readonly gives: readonly string[];
  /** The owner whose children Azure writes one after the other. */
  readonly turns?: string | undefined;
}

/**
 * The length of the chain of objects that wait for an object, by their specs. Objects that are in sync wait for nothing, so at rest this
 * holds no entries.
 */
export class WaitingObjects {
  private readonly chains: CriticalPathIndex;
  private readonly known = new Map<string, Known>();
  /** Secret or ConfigMap → the objects that write it. */
  private readonly givers = new Map<string, Set<string>>();
  /** Owner → the weights of all its children that wait and take turns, together. */
  private readonly turns = new Map<string, number>();

  /** @param onChange called with the key, as text, of each object whose rank has changed */
  public constructor(onChange: (text: string) => void = () => undefined) {
    this.chains = new CriticalPathIndex(onChange);
  }

  /**
   * Length of the longest chain of objects that wait for this one, directly or indirectly, and of its own operation; where siblings take
   * turns, of the operations of all that wait. Where Azure takes writes no faster, the chain that takes longest begins first.
   */
  public rankOf(key: ObjectId): number {
    const text = sharedKeyOf(key);
    const { weight = 1, turns } = this.known.get(text) ?? {};
    const ofTurns = turns === undefined ? weight : this.turns.get(turns) ?? weight;
    return Math.min(this.chains.lengthOf(text) + ofTurns - 1, LONGEST_CHAIN);
  }

  /** The object waits to be in sync. */
  public waits(object: KubernetesObject): void {
    const text = sharedKeyOf(objectIdOf(object));
    const { uid, generation } = object.metadata;
    const known = this.known.get(text);
    if (known && known.uid === uid && known.generation === generation) return;
    const { needs, gives, owner } = dependenciesInSpec(object);
    this.forgetGifts(text, known);
    this.countTurn(known, -1);
    const armType = versionOf(object)?.facts.arm?.type ?? '';
    const now: Known = { weight: weightOf(armType), uid, generation, gives, turns: takesTurns(armType) ? owner : undefined };
    const { weight } = now;
    this.known.set(text, now);
    this.countTurn(now, 1);
    this.chains.set(text, needs, weight);
    for (const data of gives) this.setGivers(data, (givers) => givers.add(text));
  }

  /** The object is in sync, or gone. */
  public waitsNoMore(key: ObjectId): void {
    const text = sharedKeyOf(key);
    const known = this.known.get(text);
    if (!known) return;
    this.known.delete(text);
    this.chains.delete(text);
    this.forgetGifts(text, known);
    this.countTurn(known, -1);
  }

  private countTurn(known: Known | undefined, by: 1 | -1): void {
    if (known?.turns === undefined) return;
    const sum = (this.turns.get(known.turns) ?? 0) + by * known.weight;
    if (sum > 0) this.turns.set(known.turns, sum);
    else this.turns.delete(known.turns);
  }

  private forgetGifts(text: string, known: Known | undefined): void {
    for (const data of known?.gives ?? []) this.setGivers(data, (givers) => givers.delete(text));
  }

  /** A reader of data waits for the writers of the data; the data itself adds nothing to the chain's length. */
  private setGivers(data: string, change: (givers: Set<string>) => void): void {
    const givers = this.givers.get(data) ?? new Set();
    change(givers);
    if (givers.size > 0) this.givers.set(data, givers);
    else this.givers.delete(data);
    this.chains.set(data, givers, 0);
  }
}

function weightOf(armType: string): number {
  return 1 + Math.round((usualOperationMs(armType, 'PUT') ?? 0) / LINK_MS);
}

/** Whether Azure writes siblings of the type one after the other. */
function takesTurns(armType: string): boolean {
  const rule = parentLockRuleOf(armType);
  return rule !== undefined && rule.levels > 0 && !rule.together;
}
