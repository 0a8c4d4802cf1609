import type { ArmClient } from '../../../engine/arm/types';
import type { ResolvedCredential } from '../../../engine/credentials/types';
import { hooksOf, type KindContext, type KindHooks } from '../../../engine/kinds';
import type { ExternalContext, ExternalKind } from '../../../engine/kinds/external';
import type { ObjectLookup } from '../../../engine/resolve/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { KindVersion } from '../../../src/catalog';
import type { Action, Observed } from '../core/observed';
import type { Exporter } from '../exporter';

/** An action besides those of the reconcile itself. */
export type AzureAction = Exclude<Action, { do: 'persist' } | { do: 'acquireLock' } | { do: 'finish' }>;

export interface ActionContext {
  readonly version: KindVersion;
  readonly lookup: ObjectLookup;
  /** Client of the object's credential. Decisions call Azure only when there is one. */
  readonly client?: ArmClient | undefined;
  /** The resolved credential; throws CredentialError where there is none. */
  readonly credential: () => ResolvedCredential;
  /** Implementation of a kind outside of ARM. */
  readonly external?: ExternalKind | undefined;
  readonly exporter: Exporter;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Throws where another replica looks after the object; called just before each request. Default: none does. */
  readonly fence?: (() => void) | undefined;
  /** How many times faster than Azure's the environment's time is. Default: 1. */
  readonly timeScale?: number | undefined;
  /** Called before each request whose lost answer would leave the outcome in doubt. */
  readonly onInDoubt: () => void;
  /** Called when Azure has answered that request. */
  readonly onAnswered: () => void;
}

export function armClientOf({ client }: ActionContext): ArmClient {
  if (!client) throw new Error('an Azure request was decided without a credential');
  return client;
}

export function externalKindOf({ external }: ActionContext): ExternalKind {
  if (!external) throw new Error('an action of a kind without ARM was decided for another one');
  return external;
}

export function kindHooksOf({ version: { kind: { group, kind } } }: ActionContext): KindHooks {
  return hooksOf(group, kind);
}

export function externalContextOf(context: ActionContext, { object, hasIntended = false }: Observed): ExternalContext {
  const { version, lookup, credential, signal, now, fence, timeScale = 1 } = context;
  return { object, version, lookup, credential, signal, fence, now: now(), timeScale, mayBeCreated: !hasIntended };
}

export function kindContextOf(context: ActionContext, { object, desired, isNew = false }: Observed): KindContext {
  const { version, lookup, signal } = context;
  const armId = object.metadata.annotations?.[RESOURCE_ID] ?? desired?.armId ?? '';
  return { object, version, armId, client: armClientOf(context), lookup, signal, isNew };
}
