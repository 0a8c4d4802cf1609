import type { Publication } from './publication';
import type { LiveMember } from './roster';
import { targetOf } from './target';
import { DEBOUNCE_MS } from './timing';
import { EMPTY_VIEW, sameTexts, sameView, type View } from './view';

/** The next step: a publication, and the view that the host has to be prepared for before it. */
export interface Change {
  readonly publication: Publication;
  /** Absent: nothing changes for the host. */
  readonly prepare?: View;
}

/** This process, with its last acknowledged publication. */
export interface Position {
  readonly member: string;
  readonly acquireTime: string;
  readonly published: Publication;
  /** Namespaces that it wants to split by now. Default: as published. */
  readonly wantsSplit?: readonly string[];
}

/**
 * The view that comes if the members that seem to be gone are.
 * @returns undefined: the published view stays, or this process is not active
 */
export function foreseen(position: Position, others: readonly LiveMember[], missing: readonly string[]): View | undefined {
  const { published, ...self } = position;
  if (published.phase !== 'active') return undefined;
  const target = targetOf({ ...self, ...published }, others.filter(({ isSuspect }) => !isSuspect), missing);
  return target.phase === 'active' && !sameView(target.view, published.view) ? target.view : undefined;
}

/** Decides on changes of the view. Pure, but for the time since a change has been due. */
export class ChangeDecider {
  private dueSinceMs: number | undefined;

  /** The change to make now; undefined: none, or not yet. */
  public decide(position: Position, others: readonly LiveMember[], elapsedMs: number, missing: readonly string[] = []): Change | undefined {
    const { published, wantsSplit = published.wantsSplit, ...self } = position;
    const { phase, view } = published;
    if (phase === 'leaving') return undefined;
    const wanted: Publication = { ...published, wantsSplit };
    const target = targetOf({ ...self, ...wanted }, others, missing);
    if (phase === 'standby' && target.phase === 'active') {
      return { publication: { ...wanted, phase: 'joining', view: EMPTY_VIEW } };
    }
    const isSame = target.phase === phase && sameView(target.view, view);
    if (isSame && sameTexts(wantsSplit, published.wantsSplit)) {
      this.dueSinceMs = undefined;
      return undefined;
    }
    this.dueSinceMs ??= elapsedMs;
    if (elapsedMs - this.dueSinceMs < DEBOUNCE_MS) return undefined;
    this.dueSinceMs = undefined;
    const publication = { ...wanted, ...target };
    return isSame ? { publication } : { publication, prepare: target.view };
  }

  /** Whether a change is due, or others do not yet agree, or seem to be gone: the next list should come soon. */
  public isUnsettled({ published }: Position, others: readonly LiveMember[]): boolean {
    return this.dueSinceMs !== undefined || others.some(({ isSuspect, publication: { phase, view } }) => (
      isSuspect || phase === 'joining' || phase === 'leaving' || (phase === 'active' && !sameView(view, published.view))
    ));
  }
}
