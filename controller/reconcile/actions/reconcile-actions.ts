import type { Observed, Outcome } from '../core/observed';
import { importedSecrets, outcomeWithoutSecrets, signedParts } from '../imported-secrets';
import { resolveDesired } from '../resolve-desired';
import { armClientOf, kindContextOf, kindHooksOf, type ActionContext, type AzureAction } from './action-context';
import { guarded, type GuardedAction } from './action-errors';
import { completeResource } from './complete-resource';
import { deleteResource } from './delete-resource';
import { actOnExternal, exportExternal } from './external-resource';
import { pollPut } from './poll-put';
import { putResource } from './put-resource';
import { readExisting, type RequestBody } from './read-resource';

/** Carries out the decided actions for one object in one reconcile. */
export class ReconcileActions {
  /** The request body. Holds secrets; is dropped with the reconcile. */
  private body?: RequestBody;
  /** The secrets in the body. Their Secrets may have changed, or be gone, by the time that Azure quotes the request. */
  private sent: readonly string[] = [];

  public constructor(private readonly context: ActionContext) {}

  /** Carries out an action. The texts of the outcome hold no secret, even where Azure quotes the request. */
  public async carryOut(action: AzureAction, observed: Observed): Promise<Outcome> {
    const { version, lookup } = this.context;
    return outcomeWithoutSecrets(await this.outcomeOf(action, observed), () => [
      ...this.sent, ...importedSecrets(observed.object, version, lookup), ...(action.do === 'poll' ? signedParts(action.state) : []),
    ]);
  }

  private async outcomeOf(action: AzureAction, observed: Observed): Promise<Outcome> {
    const { context, body } = this;
    switch (action.do) {
      case 'resolve':
        return this.guarded({ during: 'resolve' }, async () => this.resolve(observed));
      case 'read':
        return this.guarded({ during: 'read', purpose: action.purpose, isOfResource: true }, async () => ({
          of: 'read', purpose: action.purpose, existing: await readExisting(context, action, observed, body),
        }));
      case 'preCheck':
        return this.guarded({ during: 'preCheck' }, async () => ({
          of: 'preCheck', verdict: await kindHooksOf(context).preCheck!(kindContextOf(context, observed)),
        }));
      case 'put':
        return putResource(context, observed, body!);
      case 'poll':
        return pollPut(context, action, observed);
      case 'complete':
        return completeResource(context, observed);
      case 'delete':
        return this.guarded({ during: 'delete' }, () => deleteResource(context, action.armId, observed, body));
      case 'export':
        return this.guarded({ during: 'export' }, () => exportExternal(context, observed));
      case 'ensure':
      case 'observe':
      case 'remove': {
        const during = action.do;
        return this.guarded({ during }, () => actOnExternal(context, during, observed));
      }
    }
  }

  private resolve(observed: Observed): Outcome {
    const { version, lookup } = this.context;
    this.sent = importedSecrets(observed.object, version, lookup);
    const { desired, body } = resolveDesired(observed.object, version, lookup, armClientOf(this.context).subscriptionId);
    this.body = body;
    return { of: 'resolve', desired };
  }

  private guarded(action: GuardedAction, act: () => Promise<Outcome>): Promise<Outcome> {
    return guarded(action, this.context.signal, act);
  }
}
