import type { Fence } from './fence';
import { isNamespace, type Ownership, type ShardKey } from './ownership';
import type { Proof, Snapshot } from './snapshot';
import { ViewMap, type View } from './view';

interface ProofMaps {
  readonly views: readonly ViewMap[];
  readonly rivals: readonly { readonly member: string; readonly view: ViewMap | undefined }[];
}

/** The ownership of a process: the last snapshot that its thread has got, and the fence. */
export class FencedOwnership implements Ownership {
  private snapshot?: Snapshot;
  private proofs: readonly ProofMaps[] = [];
  private views: readonly ViewMap[] = [];
  private next: ViewMap | undefined;
  /** Views are made into maps once: the maps remember owners. */
  private maps = new Map<string, ViewMap>();

  public constructor(private readonly fence: Fence) {}

  public take(snapshot: Snapshot): void {
    const kept = new Map<string, ViewMap>();
    const mapOf = (view: View): ViewMap => {
      const text = JSON.stringify([view.members, view.split]);
      const map = kept.get(text) ?? this.maps.get(text) ?? new ViewMap(view);
      kept.set(text, map);
      return map;
    };
    const mapsOf = ({ views, rivals }: Proof): ProofMaps => ({
      views: views.map(mapOf),
      rivals: rivals.map(({ member, view }) => ({ member, view: view && mapOf(view) })),
    });
    this.snapshot = snapshot;
    this.proofs = snapshot.proofs.map(mapsOf);
    this.views = snapshot.views.map(mapOf);
    this.next = snapshot.next && mapOf(snapshot.next);
    this.maps = kept;
  }

  public owns(key: ShardKey): boolean {
    const { snapshot, fence } = this;
    // The supervisor publishes although this thread has not turned its event loop: the snapshot does not count any more.
    if (!snapshot || snapshot.epoch < fence.epoch) return false;
    if (!fence.isCurrent('own') || !fence.isCurrent('group')) return false;
    // In a view that splits a namespace its key stands for less: such a view is no claim to the whole namespace.
    const isWhole = isNamespace(key) && !this.isSplit(key);
    return this.proofs.some((proof) => (
      !(isWhole && proof.views.some((view) => view.isSplit(key))) && isProven(proof, snapshot.member, key)
    ));
  }

  public watches(namespace: string): boolean {
    const member = this.snapshot?.member;
    if (member === undefined) return false;
    return this.next?.mayNeed(member, namespace) === true || this.views.some((view) => view.mayNeed(member, namespace));
  }

  public isSplit(namespace: string): boolean {
    return this.views.some((view) => view.isSplit(namespace));
  }
}

function isProven({ views, rivals }: ProofMaps, member: string, key: ShardKey): boolean {
  return views.every((own) => (
    own.gives(member, key) && rivals.every((rival) => rival.view !== undefined && !rival.view.overlaps(rival.member, key, own))
  ));
}
