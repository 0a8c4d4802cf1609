import { InformerSet, type InformerSource, type InformerSetOptions } from '../../engine/informers';
import { catalogKinds, type CachedObject, type KubernetesObject, type ResourceType, type WatchedKind } from '../../engine/kubernetes';
import { APPLY_SET_PART_OF } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import type { ObjectId } from '../../src/object-id';
import type { ClaimKind, ComposerCache } from '../reconcile/types';

/** The informers of a composer: claims, objects of kinds that `compose` reads, and of the composed kinds those that a composer has made. */
export class ClusterCache implements ComposerCache {
  public readonly informers: InformerSet;

  public constructor(source: InformerSource, private readonly kinds: readonly ClaimKind[], options: InformerSetOptions) {
    this.informers = new InformerSet(source, watchedKinds(kinds), options);
  }

  public find({ group, kind, namespace, name }: ObjectId): CachedObject {
    const state = this.informers.stateOf(group, kind, namespace);
    if (state.state === 'unknown') return state;
    const object = this.informers.find(group, kind, namespace, name);
    return object ? { state: 'present', object } : { state: 'absent' };
  }

  public typeOf(group: string, kind: string): ResourceType | undefined {
    return this.informers.typeOf(group, kind);
  }

  public updateLocal(object: KubernetesObject): void {
    this.informers.updateLocal(object);
  }

  public claims(): readonly KubernetesObject[] {
    return this.kinds.flatMap(({ group, kind }) => this.informers.informer(group, kind)?.store.list() ?? []);
  }

  /** Whether all claims are known. */
  public get isKnown(): boolean {
    return this.kinds.every(({ group, kind }) => this.informers.stateOf(group, kind).state === 'whole');
  }
}

function watchedKinds(kinds: readonly ClaimKind[]): WatchedKind[] {
  const claims = kinds.map(({ group, kind, version }): WatchedKind => ({ group, kind, versions: [version] }));
  const known = new Set(claims.map(keyOf));
  const read = new Set(kinds.flatMap(({ reads }) => reads).map(keyOf));
  const others = kinds.flatMap(({ composes, reads }) => [...composes, ...reads]).filter((one) => !known.has(keyOf(one)));
  const unique = new Map(others.map((one) => [keyOf(one), one]));
  return [...claims, ...[...unique].map(([key, one]): WatchedKind => {
    const kind = Catalog.default().kind(one.group, one.kind);
    // Azure's kinds in their storage version: the server need not convert.
    const watched = kind ? catalogKinds([kind])[0]! : { group: one.group, kind: one.kind };
    return read.has(key) ? watched : { ...watched, labelSelector: APPLY_SET_PART_OF };
  })];
}

function keyOf({ group, kind }: Pick<WatchedKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}
