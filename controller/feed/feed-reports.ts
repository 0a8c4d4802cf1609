import { markText, type Mark } from './marks';
import type { Clock } from '../../engine/clock';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { feedTargetText, type FeedKind, type FeedTarget } from '../../src/azure/credential-feeds';
import type { EventRecorder } from '../reconcile/event-recorder';

/** `taken`: nobody feeds it any more, and it is gone. `kept`: nobody feeds it any more, and somebody uses it. */
export type FeedState = 'fed' | 'waiting' | 'refused' | 'kept' | 'taken';

export interface FeedReport {
  readonly identity: Mark;
  readonly target?: FeedTarget;
  readonly state: FeedState;
  readonly message: string;
}

const REASONS: Readonly<Record<FeedState, readonly ['Normal' | 'Warning', string]>> = {
  fed: ['Normal', 'CredentialFed'],
  waiting: ['Normal', 'CredentialFeedWaiting'],
  refused: ['Warning', 'CredentialFeedRefused'],
  kept: ['Normal', 'CredentialKept'],
  taken: ['Normal', 'CredentialTakenBack'],
};
/** The API server forgets events after an hour; what stands in the way is told of again before. */
const AGAIN_AFTER = 30 * 60_000;

interface Told {
  readonly message: string;
  readonly at: number;
  readonly state: FeedState;
  readonly kind?: FeedKind;
}

/** Tells by events what becomes of the targets of an identity: once, and again where somebody may still have to do something. */
export class FeedReports {
  /** Identity → target → what was told last. */
  private readonly told = new Map<string, Map<string, Told>>();

  public constructor(
    private readonly events: Pick<EventRecorder, 'record'>, private readonly clock: Clock, private readonly onReport: (report: FeedReport) => void = () => undefined,
  ) {}

  public get states(): readonly { readonly kind: FeedKind; readonly state: FeedState }[] {
    return [...this.told.values()].flatMap((targets) => [...targets.values()].flatMap(({ kind, state }) => (kind && state !== 'taken' ? [{ kind, state }] : [])));
  }

  /** `isQuiet`: nothing has happened, so there is nothing to tell. `object`: whose event it is, mostly the identity. */
  public tell(
    identity: Mark, object: KubernetesObject, target: FeedTarget | undefined, state: FeedState, message: string, isQuiet = false,
  ): void {
    const now = this.clock.now();
    const ofIdentity = this.told.get(markText(identity)) ?? new Map<string, Told>();
    const key = target ? feedTargetText(target) : message;
    const before = ofIdentity.get(key);
    const isSame = before?.message === message && before.state === state;
    const isNews = !isQuiet && (!isSame || state === 'fed' || (now - before.at >= AGAIN_AFTER));
    this.told.set(markText(identity), ofIdentity.set(key, { message, state, kind: target?.kind, at: isNews || !isSame ? now : before.at }));
    if (!isNews) return;
    const [type, reason] = REASONS[state];
    this.events.record(object, { type, reason, message });
    this.onReport({ identity, target, state, message });
  }

  /** Of the identity only these are left: texts of targets, and what is wrong. */
  public keep(identity: Mark, keys: readonly string[]): void {
    const ofIdentity = this.told.get(markText(identity));
    for (const key of [...(ofIdentity?.keys() ?? [])]) if (!keys.includes(key)) ofIdentity!.delete(key);
    if (ofIdentity?.size === 0) this.told.delete(markText(identity));
  }
}
