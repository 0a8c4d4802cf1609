import { fatal, warning, type Failure } from './core/failure';
import type { Action, Existing, Observed, OperationStepOn, Outcome, ReadPurpose } from './core/observed';
import { afterStop, stillStopped } from './core/stopped-work';
import { failureOf, refusalOf } from './failures';
import { importedSecrets, outcomeWithoutSecrets, signedParts } from './imported-secrets';
import { resolveDesired } from './resolve-desired';
import { isSigned, isUnreadable } from '../../engine/arm/arm-error';
import { isAbsent, readExistence, readResource, writtenResource } from '../../engine/arm/arm-reader';
import { beginOperation } from '../../engine/arm/operation';
import { provisioningStateOf } from '../../engine/arm/operation-status';
import { pollOperation } from '../../engine/arm/poll-operation';
import { ArmError, type ArmClient, type ArmRequest, type OperationState, type OperationStep, type RawAnswer } from '../../engine/arm/types';
import { bodyShape, compare, driftOf, type MarkSecrecy } from '../../engine/compare';
import { fromArm } from '../../engine/convert/from-arm';
import type { ResolvedCredential } from '../../engine/credentials/types';
import { ExportError } from '../../engine/export/types';
import { bodyToSend, comparableBody, hooksOf, membersNeeded, type ChangedBody, type KindContext, type KindHooks } from '../../engine/kinds';
import { valueAt } from '../../engine/kinds/arm-json';
import { ExternalFailure, type ExternalContext, type ExternalKind } from '../../engine/kinds/external';
import { UnknownStateError } from '../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { allowsModification } from '../../engine/objects/reconcile-policy';
import type { ObjectLookup } from '../../engine/resolve/types';
import { JobStoppedError } from '../../engine/workers/errors';
import { RESOURCE_ID, STOPPED_EXPORT } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';

/** Writes the Secrets and ConfigMaps that the object exports. Throws ExportError, ArmError, KubernetesError. */
export type Exporter = (request: ExportRequest) => Promise<void>;

export interface ExportRequest {
  readonly object: KubernetesObject;
  readonly version: KindVersion;
  readonly armId: string;
  readonly client: ArmClient;
  readonly signal: AbortSignal;
}

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
  /** How many times faster than Azure's the environment's time is. Default: 1. */
  readonly timeScale?: number | undefined;
  /** Called before each request whose lost answer would leave the outcome in doubt. */
  readonly onInDoubt: () => void;
  /** Called when Azure has answered that request. */
  readonly onAnswered: () => void;
}

/** An action besides those of the reconcile itself. */
export type AzureAction = Exclude<Action, { do: 'persist' } | { do: 'turn' } | { do: 'finish' }>;

/** Members in which resources show their creation time. */
const CREATION_TIMES = ['systemData/createdAt', 'properties/creationTime', 'properties/createdAt', 'properties/createdOn'];

/** Carries out the decided actions for one object in one reconcile. */
export class ReconcileActions {
  private readonly hooks: KindHooks;
  /** The request body. Holds secrets; is dropped with the reconcile. */
  private body?: Readonly<Record<string, unknown>>;
  /** The secrets in the body. Their Secrets may have changed, or be gone, by the time that Azure quotes the request. */
  private sent: readonly string[] = [];

  public constructor(private readonly context: ActionContext) {
    const { group, kind } = context.version.kind;
    this.hooks = hooksOf(group, kind);
  }

  /** Carries out an action. The texts of the outcome hold no secret, even where Azure quotes the request. */
  public async carryOut(action: AzureAction, observed: Observed): Promise<Outcome> {
    const { version, lookup } = this.context;
    return outcomeWithoutSecrets(await this.outcomeOf(action, observed), () => [
      ...this.sent, ...importedSecrets(observed.object, version, lookup), ...(action.do === 'poll' ? signedParts(action.state) : []),
    ]);
  }

  private async outcomeOf(action: AzureAction, observed: Observed): Promise<Outcome> {
    switch (action.do) {
      case 'resolve':
        return this.guarded('resolve', async () => this.resolve(observed));
      case 'read':
        return this.guarded(
          'read',
          async () => ({ of: 'read', purpose: action.purpose, existing: await this.read(action.armId, action.purpose, observed) }),
          { purpose: action.purpose },
          true,
        );
      case 'preCheck':
        return this.guarded('preCheck', async () => ({ of: 'preCheck', verdict: await this.hooks.preCheck!(this.kindContext(observed)) }));
      case 'put':
        return this.put(observed);
      case 'poll':
        return this.step(
          'poll',
          await pollOperation(this.client, action.state, this.context.signal, { now: this.context.now(), since: action.since }),
        );
      case 'complete':
        return this.complete(observed);
      case 'delete':
        return this.guarded('delete', () => this.delete(action.armId, observed));
      case 'ensure':
        return this.guarded('ensure', async () => ({ of: 'ensure', state: await this.external.ensure(this.externalContext(observed)) }));
      case 'look':
        return this.guarded('look', async () => ({ of: 'look', sight: await this.external.look(this.externalContext(observed)) }));
      case 'export':
        return this.guarded('export', () => this.export(observed));
      case 'remove':
        return this.guarded('remove', async () => {
          await this.external.remove(this.externalContext(observed));
          return { of: 'remove' };
        });
    }
  }

  private resolve(observed: Observed): Outcome {
    const { version, lookup } = this.context;
    this.sent = importedSecrets(observed.object, version, lookup);
    const { desired, body } = resolveDesired(observed.object, version, lookup, this.client.subscriptionId);
    this.body = body;
    return { of: 'resolve', desired };
  }

  private async read(armId: string, purpose: ReadPurpose, observed: Observed): Promise<Existing | undefined> {
    const { version, signal } = this.context;
    const request = { method: version.supports('GET') ? 'GET' : 'HEAD', url: armId, apiVersion: version.facts.arm!.apiVersion } as const;
    const response = await this.client.send(request, signal);
    if (request.method === 'HEAD') {
      return readExistence(request, response, this.context.now()) ? { status: fromArm(version, undefined) } : undefined;
    }
    // A status from half an answer would be empty, and the object Ready. If no properties were sent, the answer may have none.
    const needs = isEmpty(this.body?.properties) ? [] : membersNeeded(version);
    const body = readResource(request, response, { needs, now: this.context.now() });
    if (!body) return undefined;
    const createdAt = CREATION_TIMES.map((path) => valueAt(body, path)).find((time) => typeof time === 'string');
    return {
      status: fromArm(version, body),
      provisioningState: provisioningStateOf(body),
      ...(typeof createdAt === 'string' ? { createdAt } : {}),
      ...(purpose !== 'delete' ? { comparison: await this.compared(body, observed) } : {}),
    };
  }

  /** How the resource differs from the spec; undefined where it cannot be compared: the error is reported when the PUT is sent. */
  private async compared(answer: unknown, observed: Observed): Promise<Existing['comparison']> {
    const { version, lookup } = this.context;
    if (!allowsModification(observed.policy)) return undefined;
    try {
      const { desired, body } = this.body && observed.desired
        ? { desired: observed.desired, body: this.body }
        : resolveDesired(observed.object, version, lookup, this.client.subscriptionId);
      const wanted = await comparableBody(body, this.kindContext(observed), answer);
      const drift = driftOf(compare(wanted, answer, bodyShape(version)), this.secrecy(observed, desired.hidden));
      return { digest: desired.digest, drift };
    } catch (error) {
      rethrowAbort(error, this.context.signal);
      return undefined;
    }
  }

  private secrecy({ object }: Observed, versions: string): MarkSecrecy {
    const { version, lookup } = this.context;
    return { salt: object.metadata.uid ?? '', secrets: importedSecrets(object, version, lookup), versions };
  }

  private async put(observed: Observed): Promise<Outcome> {
    const { version, signal, now, onInDoubt, onAnswered } = this.context;
    const context = this.kindContext(observed);
    const changed = await bodyToSend(this.body!, context).catch((error: unknown) => failureOf(rethrowAbort(error, signal)));
    if (isFailure(changed)) return { of: 'failure', during: 'put', failure: changed };
    const { body, etag } = changed;
    const headers = etag ? { headers: { 'if-match': etag } } : {};
    const request = { method: 'PUT', url: context.armId, apiVersion: version.facts.arm!.apiVersion, body, ...headers } as const;
    onInDoubt();
    try {
      const response = await this.client.send(request, signal);
      const outcome = this.step('put', beginOperation(request, response, now()));
      if (saysNothing(response)) return { ...outcome, inDoubt: true } as Outcome;
      onAnswered();
      return 'step' in outcome ? await this.withShown(outcome, request, response, observed) : outcome;
    } catch (error) {
      if (!(rethrowAbort(error, signal) instanceof ArmError)) throw error;
      return { of: 'put', failed: refusalOf(error as ArmError, this.hooks.adjust), inDoubt: true };
    }
  }

  /** Adds the differences that the answer shows, unless the answer may show the state before the PUT. */
  private async withShown(outcome: Outcome, request: ArmRequest, response: RawAnswer, observed: Observed): Promise<Outcome> {
    const isNew = response.status === 201 || ('step' in outcome && outcome.step.kind === 'succeeded');
    const body = writtenResource(request, response);
    const comparison = isNew && body ? await this.compared(body, observed) : undefined;
    return { ...outcome, ...(comparison ? { shown: comparison.drift } : {}) } as Outcome;
  }

  private async complete(observed: Observed): Promise<Outcome> {
    const { version, exporter, signal } = this.context;
    const context = this.kindContext(observed);
    const { conditions: _, ...status } = observed.object.status ?? {};
    return this.guarded('complete', async () => {
      const check = (await this.hooks.postCheck?.(context, status)) ?? {};
      const kept = check.status ?? status;
      const marked = check.annotations ? { annotations: check.annotations } : {};
      if (check.failure) {
        return {
          of: 'failure',
          during: 'complete',
          failure: warning(check.reason ?? 'PostReconciliationFailure', check.failure),
          status: kept,
          ...marked,
        };
      }
      const object = { ...observed.object, status: { ...kept, conditions: observed.object.status?.conditions } } as KubernetesObject;
      const stopped = await this.exported(object, 'complete', () =>
        exporter({ object, version, armId: context.armId, client: context.client, signal }),
      );
      if (stopped) return { ...stopped, status: kept, annotations: { ...check.annotations, ...stopped.annotations } };
      const annotations = { ...check.annotations, ...this.hooks.onSuccess?.(context, kept), ...withoutStop(object) };
      return {
        of: 'complete',
        ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
        ...(check.status ? { status: check.status } : {}),
      };
    });
  }

  private async delete(armId: string, observed: Observed): Promise<Outcome> {
    const { version, signal, now, onInDoubt, onAnswered } = this.context;
    await this.hooks.beforeDelete?.(this.kindContext(observed));
    const request = { method: 'DELETE', url: armId, apiVersion: version.facts.arm!.apiVersion } as const;
    onInDoubt();
    const response = await this.client.send(request, signal);
    if (!saysNothing(response)) onAnswered();
    if (isAbsent(request, response)) return { of: 'delete', step: { kind: 'succeeded' } };
    const step = beginOperation(request, response, now());
    if (step.kind === 'failed') return { of: 'failure', during: 'delete', failure: refusalOf(step.error, this.hooks.adjust) };
    const isProven = step.kind === 'running' || isSigned(response) || await this.isGone(armId, observed);
    return { of: 'delete', step: isProven ? step : { kind: 'running', state: watchedDeletion(request) } };
  }

  /** A proxy on the way to Azure may answer a DELETE with a mere 200 or 204: so the resource itself has to be gone. */
  private async isGone(armId: string, observed: Observed): Promise<boolean> {
    try {
      return await this.read(armId, 'delete', observed) === undefined;
    } catch (error) {
      // With the permission to delete but not to read, Azure's answer to the DELETE is the only evidence.
      if (error instanceof ArmError && error.status === 403 && !error.extra.unstructured) return true;
      throw error;
    }
  }

  private async export(observed: Observed): Promise<Outcome> {
    const { version, exporter, signal, credential } = this.context;
    const { object } = observed;
    const stopped = await this.exported(object, 'export', () =>
      exporter({ object, version, armId: '', client: credential().client, signal }),
    );
    return stopped ?? { of: 'export' };
  }

  /** Runs the exports, unless they were stopped before and nothing has changed since. Returns an outcome where they are stopped. */
  private async exported(
    object: KubernetesObject,
    during: 'complete' | 'export',
    act: () => Promise<void>,
  ): Promise<StoppedOutcome | undefined> {
    const outcome = (message: string, annotations?: Record<string, string>): StoppedOutcome => ({
      of: 'failure',
      during,
      failure: fatal('FailedWritingAdditionalKubernetesObjects', message),
      ...(annotations ? { annotations } : {}),
    });
    const before = stillStopped(object, this.context.now());
    if (before !== undefined) return outcome(before);
    try {
      await act();
      return undefined;
    } catch (error) {
      if (!(error instanceof ExportError && error.cause instanceof JobStoppedError)) throw error;
      const { message, annotations } = afterStop(object, error.message, this.context.now());
      return outcome(message, annotations);
    }
  }

  private step(of: 'put' | 'poll', step: OperationStep): Outcome {
    if (step.kind === 'failed') return { of, failed: refusalOf(step.error, this.hooks.adjust) };
    return { of, step: step satisfies OperationStepOn };
  }

  /** Turns errors into failures, except those that end the reconcile: an abort, and Kubernetes' own errors. */
  private async guarded(
    during: AzureAction['do'], act: () => Promise<Outcome>, more: { purpose?: ReadPurpose } = {}, ofResource = false,
  ): Promise<Outcome> {
    try {
      return await act();
    } catch (error) {
      rethrowAbort(error, this.context.signal);
      if (isOutdated(error)) throw error;
      if (error instanceof ExternalFailure) {
        return { of: 'failure', during, failure: failureOf(error.cause), annotations: error.annotations, ...more };
      }
      const failure = ofResource && error instanceof ArmError ? refusalOf(error) : failureOf(error);
      return { of: 'failure', during, failure, ...more };
    }
  }

  private get client(): ArmClient {
    if (!this.context.client) throw new Error('an Azure request was decided without a credential');
    return this.context.client;
  }

  private get external(): ExternalKind {
    if (!this.context.external) throw new Error('an action of a kind without ARM was decided for another one');
    return this.context.external;
  }

  private externalContext({ object, hasIntended = false }: Observed): ExternalContext {
    const { version, lookup, credential, signal, now } = this.context;
    return { object, version, lookup, credential, signal, now: now(), timeScale: this.context.timeScale ?? 1, mayBeCreated: !hasIntended };
  }

  private kindContext(observed: Observed): KindContext {
    const { version, lookup, signal } = this.context;
    const armId = observed.object.metadata.annotations?.[RESOURCE_ID] ?? observed.desired?.armId ?? '';
    return { object: observed.object, version, armId, client: this.client, lookup, signal };
  }
}

type StoppedOutcome = Extract<Outcome, { of: 'failure' }>;

function withoutStop(object: KubernetesObject): Record<string, undefined> {
  return annotation(object, STOPPED_EXPORT) === undefined ? {} : { [STOPPED_EXPORT]: undefined };
}

/** A deletion without an operation URL: it ends when the resource is gone. */
function watchedDeletion({ url, apiVersion }: { readonly url: string; readonly apiVersion: string }): OperationState {
  const pollUrl = `${url}?api-version=${apiVersion}`;
  return { style: 'body', method: 'DELETE', originalUrl: pollUrl, pollUrl, state: 'InProgress' };
}

/** An answer of a gateway or proxy: the resource provider may still have taken the request. */
function saysNothing(response: RawAnswer): boolean {
  return response.status === 408 || response.status >= 500 || isUnreadable(response);
}

function isFailure(value: ChangedBody | Failure): value is Failure {
  return 'severity' in value && 'retry' in value && 'reason' in value;
}

/** NotFound or Conflict of Kubernetes: the cached object is out of date. No condition is set; the next reconcile sees the new state. */
function isOutdated(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 404 || error.status === 409);
}

/** An abort and an UnknownStateError end the reconcile without an outcome. */
function rethrowAbort(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof UnknownStateError) throw error;
  return error;
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
