import type { Condition, KubernetesObject, ObjectEvent } from '../../../engine/kubernetes/types';
import { redactTokens } from '../../../engine/redact';
import { objectIdOf, objectTitleOf } from '../../../src/object-id';
import { oneLine } from '../../output/problem';
import type { Style, Terminal } from '../../output/terminal';

/** A change of a claim that the log reports. */
export interface ClaimChange {
  readonly state: 'synced' | 'failed' | 'ready' | 'not ready' | 'deleting' | 'deleted';
  /** Of the condition. */
  readonly reason?: string;
  readonly message: string;
}

export interface ClaimLogOptions {
  readonly terminal: Terminal;
  readonly output: 'text' | 'json';
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const STATE_WIDTH = 'not ready'.length;

/** Prints a line for each change of a claim's conditions. */
export class ClaimLog {
  /** Synced and Ready of each claim, as printed last. */
  private readonly known = new Map<string, { readonly synced: string; readonly ready: string }>();

  public constructor(private readonly options: ClaimLogOptions) {}

  public handle({ type, object }: ObjectEvent): void {
    const key = objectTitleOf(objectIdOf(object));
    const before = this.known.get(key);
    if (type === 'DELETED') {
      this.known.delete(key);
      this.print(object, key, { state: 'deleted', message: '' });
      return;
    }
    const [synced, ready] = [conditionOf(object, 'Synced'), conditionOf(object, 'Ready')];
    this.known.set(key, { synced: textOf(synced), ready: textOf(ready) });
    // Claims that were well before are no news.
    if (!before && synced?.status === 'True' && ready?.status === 'True') return;
    if (synced && textOf(synced) !== before?.synced) this.print(object, key, syncedChange(synced));
    // While a claim is being deleted, both conditions say the same.
    if (ready && ready.reason !== 'Deleting' && ready.reason !== 'NotSynced' && textOf(ready) !== before?.ready) {
      this.print(object, key, { state: ready.status === 'True' ? 'ready' : 'not ready', reason: ready.reason, message: ready.message ?? '' });
    }
  }

  private print({ kind, metadata: { namespace, name } }: KubernetesObject, key: string, change: ClaimChange): void {
    const { terminal, output, now } = this.options;
    const time = new Date(now()).toISOString();
    const message = redactTokens(oneLine(change.message));
    if (output === 'json') {
      const { state, reason } = change;
      terminal.print(JSON.stringify({ time, kind, namespace, name, state, reason, message }));
      return;
    }
    const { style } = terminal;
    const state = painted(change.state, style)(change.state.padEnd(STATE_WIDTH));
    const cause = change.state === 'failed' ? `${oneLine(change.reason ?? '')}: ${message}` : message;
    terminal.print(`${style.dim(time.slice(11, 19))} ${state}  ${oneLine(key)}${cause === '' ? '' : `  ${cause}`}`);
  }
}

function syncedChange({ status, reason, message = '' }: Condition): ClaimChange {
  if (reason === 'Deleting') return { state: 'deleting', message };
  return { state: status === 'True' ? 'synced' : 'failed', reason, message };
}

function conditionOf({ status }: KubernetesObject, type: string): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function textOf(condition: Condition | undefined): string {
  return condition ? `${condition.status} ${condition.reason} ${condition.message ?? ''}` : '';
}

function painted(state: ClaimChange['state'], style: Style): (text: string) => string {
  if (state === 'failed') return style.bad;
  return state === 'ready' ? style.good : state === 'not ready' ? style.warn : style.dim;
}
