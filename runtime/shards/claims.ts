import type { Publication } from './publication';
import type { Proof, Rival, Snapshot } from './snapshot';
import { EMPTY_VIEW, sameView, type View } from './view';

/** Proofs that are kept. Fewer keys are owned without the others, which is safe. */
const MAX_PROOFS = 8;
/** Views of a proof that is kept. */
const MAX_VIEWS = 8;

/**
 * The claims of this process, and the proofs for them. Until a write is acknowledged, others may see the Lease as it was before or after
 * the write, or after any write before it that had no answer: a key is claimed only if all these views give it to this process.
 */
export class Claims {
  /** Changes whenever a list that was requested before proves nothing any more. */
  public serial = 0;
  private views: readonly View[] = [EMPTY_VIEW];
  private proofs: readonly Proof[] = [];

  /** Whether writing the view takes something away. */
  public narrows(view: View): boolean {
    return !this.views.some((known) => sameView(known, view));
  }

  /** Before a publication is sent. */
  public sending({ view }: Publication): void {
    if (!this.narrows(view)) return;
    this.views = [...this.views, view];
    this.proofs = this.proofs.map(({ views, rivals }) => ({ views: withView(views, view), rivals })).filter(isKept);
  }

  /** The Lease has this publication; no write before it can change that. */
  public acknowledged({ view }: Publication): void {
    if (this.views.length === 1 && sameView(this.views[0]!, view)) return;
    this.views = [view];
    this.serial += 1;
  }

  /** Others may have taken this process for dead: whatever they claim now is theirs. */
  public forget(): void {
    this.proofs = [];
    this.serial += 1;
  }

  /** A list that was requested at `serial` has these rivals. */
  public prove(serial: number, rivals: readonly Rival[]): void {
    if (serial !== this.serial) return;
    const proof: Proof = { views: this.views, rivals };
    if (this.proofs.some((known) => isCovered(proof, known))) return;
    this.proofs = [...this.proofs.filter((known) => !isCovered(known, proof)), proof].slice(-MAX_PROOFS);
  }

  public snapshot(): Pick<Snapshot, 'proofs' | 'views'> {
    return { proofs: this.proofs, views: this.views };
  }
}

function withView(views: readonly View[], view: View): readonly View[] {
  return views.some((known) => sameView(known, view)) ? views : [...views, view];
}

function isKept({ views }: Proof): boolean {
  return views.length <= MAX_VIEWS;
}

/** Whether all that one proof proves is proven by the other. */
function isCovered(one: Proof, other: Proof): boolean {
  return (
    other.views.every((view) => one.views.some((known) => sameView(known, view))) &&
    other.rivals.every((rival) => one.rivals.some((known) => sameRival(known, rival)))
  );
}

function sameRival(one: Rival, other: Rival): boolean {
  if (one.member !== other.member) return false;
  // A rival that is not understood claims more than any view.
  return one.view === undefined || (other.view !== undefined && sameView(one.view, other.view));
}
