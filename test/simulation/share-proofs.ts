import { claims, gives, isSplitIn, type PublishedView, type Share } from './truth/shares';

interface Rival {
  readonly name: string;
  /** Undefined: it counts as a claim to everything. */
  readonly view: PublishedView | undefined;
}

/** A list that a replica has read, and the views that it has had from then on. */
interface Proof {
  readonly views: readonly PublishedView[];
  readonly rivals: readonly Rival[];
}

const MOST = 100;

/** Lists of Leases by which a replica knows that nobody else claims its shares: until its term ends, or its views give it less. */
export class ShareProofs {
  private proofs = new Map<string, Proof>();

  /** The term has ended: others may have taken the replica for dead. */
  public forget(): void {
    this.proofs.clear();
  }

  public listed(view: PublishedView, rivals: readonly Rival[]): void {
    this.add({ views: [view], rivals });
    if (this.proofs.size > MOST) this.proofs.delete(this.proofs.keys().next().value!);
  }

  /** The replica has another view. */
  public published(view: PublishedView): void {
    const old = this.proofs;
    this.proofs = new Map();
    for (const { views, rivals } of old.values()) this.add({ views: sameView(views.at(-1)!, view) ? views : [...views, view], rivals });
  }

  public has(replica: string, share: Share): boolean {
    return [...this.proofs.values()].some(({ views, rivals }) => views.every((own) => gives(own, replica, share)
      // A view that splits a namespace claims less than the namespace.
      && (share.root !== undefined || isSplitIn(own, share.namespace) === isSplitIn(views.at(-1)!, share.namespace))
      && rivals.every(({ name, view }) => view !== undefined && !claims(view, name, share, own))));
  }

  private add(proof: Proof): void {
    const text = JSON.stringify(proof);
    this.proofs.delete(text);
    this.proofs.set(text, proof);
  }
}

function sameView(one: PublishedView, other: PublishedView): boolean {
  return one.members.join() === other.members.join() && one.split.join() === other.split.join();
}
