import { managedByText, type ManagedBy } from './managed-by';
import type { Clock } from '../../engine/clock';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { EventRecorder } from '../../runtime/events/event-recorder';
import { propagationTargetText, type PropagationKind, type PropagationTarget } from '../../src/azure/credential-propagation';

/**
 * `taken`: no identity propagates to the target any more, and it is removed. `kept`: no identity propagates to it any more, but objects
 * still use it.
 */
export type PropagationState = 'propagated' | 'waiting' | 'refused' | 'kept' | 'taken';

export interface PropagationReport {
  readonly identity: ManagedBy;
  readonly target?: PropagationTarget | undefined;
  readonly state: PropagationState;
  readonly message: string;
}

const REASONS: Readonly<Record<PropagationState, readonly ['Normal' | 'Warning', string]>> = {
  propagated: ['Normal', 'CredentialPropagated'],
  waiting: ['Normal', 'CredentialPropagationWaiting'],
  refused: ['Warning', 'CredentialPropagationRefused'],
  kept: ['Normal', 'CredentialKept'],
  taken: ['Normal', 'CredentialTakenBack'],
};
/** The API server deletes events after an hour; a lasting problem is reported again before that. Milliseconds. */
const AGAIN_AFTER = 30 * 60_000;

interface SentReport {
  readonly message: string;
  readonly at: number;
  readonly state: PropagationState;
  readonly kind?: PropagationKind | undefined;
}

/** Reports the state of each target by events: once, and again where a user may still have to act. */
export class PropagationReports {
  /** Identity → target → last report. */
  private readonly sent = new Map<string, Map<string, SentReport>>();

  public constructor(
    private readonly events: Pick<EventRecorder, 'record'>,
    private readonly clock: Clock,
    private readonly onReport: (report: PropagationReport) => void = () => undefined,
  ) {}

  public get states(): readonly { readonly kind: PropagationKind; readonly state: PropagationState }[] {
    return [...this.sent.values()].flatMap((targets) =>
      [...targets.values()].flatMap(({ kind, state }) => (kind && state !== 'taken' ? [{ kind, state }] : [])),
    );
  }

  /** `isQuiet`: no event is needed, since nothing has changed. `object`: the object of the event, mostly the identity. */
  public report(
    identity: ManagedBy,
    object: KubernetesObject,
    target: PropagationTarget | undefined,
    state: PropagationState,
    message: string,
    isQuiet = false,
  ): void {
    const now = this.clock.now();
    const ofIdentity = this.sent.get(managedByText(identity)) ?? new Map<string, SentReport>();
    const key = target ? propagationTargetText(target) : message;
    const before = ofIdentity.get(key);
    const isSame = before?.message === message && before.state === state;
    const isNews = !isQuiet && (!isSame || state === 'propagated' || now - before.at >= AGAIN_AFTER);
    this.sent.set(
      managedByText(identity),
      ofIdentity.set(key, { message, state, kind: target?.kind, at: isNews || !isSame ? now : before.at }),
    );
    if (!isNews) return;
    const [type, reason] = REASONS[state];
    this.events.record(object, { type, reason, message });
    this.onReport({ identity, target, state, message });
  }

  /** Drops all other reports of the identity; `keys` are texts of targets, and problems. */
  public keep(identity: ManagedBy, keys: readonly string[]): void {
    const ofIdentity = this.sent.get(managedByText(identity));
    for (const key of [...(ofIdentity?.keys() ?? [])]) if (!keys.includes(key)) ofIdentity!.delete(key);
    if (ofIdentity?.size === 0) this.sent.delete(managedByText(identity));
  }
}
