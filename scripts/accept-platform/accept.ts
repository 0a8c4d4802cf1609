// A case: inputs → constructs → objects → compared with what is expected.
import { App, Chart } from 'cdk8s';
import { corrected, differencesOf } from './compare';
import type { Correction, Json } from './compare';
import { namesField } from './refused';
import { missingInputs } from './sentinels';
import type { Inputs } from './sentinels';

/** A case, as its file has it. */
export interface Case {
  readonly name: string;
  readonly scope: string;
  readonly inputs: Inputs;
  readonly expected?: readonly Json[];
  readonly corrections?: readonly Correction[];
  readonly rejected?: { readonly field: string; readonly why: string };
}

/** Makes the constructs of a scope. */
interface Scope {
  /** Makes the constructs. */
  readonly make: (inputs: Inputs, chart: Chart) => void;
  /** The inputs that get a sentinel where a case leaves them out. */
  readonly inputs: readonly string[];
}

/** Where a case differs from what is expected as constructs; nothing where it passes. */
export async function accept(one: Case): Promise<string[]> {
  const scope = await scopeOf(one);
  if (!scope) return [`scope '${one.scope}' is not known`];
  return judged(one, async () => Promise.resolve(synthesized(one.inputs, scope)));
}

/** Where a case differs from what is expected as claims of the platform's kinds; undefined for cases that are none of teams or services. */
export async function acceptClaims(one: Case): Promise<string[] | undefined> {
  const { composed, isOfClaims } = await import('./claims');
  const scope = isOfClaims(one) ? await scopeOf(one) : undefined;
  return scope && judged(one, async () => withoutSentinels(await composed(one), scope));
}

async function judged(one: Case, make: () => Promise<Json[]>): Promise<string[]> {
  let objects: Json[];
  try {
    objects = await make();
  } catch (error) {
    return refused(one, (error as Error).message);
  }
  if (one.rejected) return [`has to be refused (${one.rejected.field}: ${one.rejected.why}), but gives ${objects.length} objects`];
  const wanted = corrected(one.expected ?? [], one.corrections ?? []);
  return [...wanted.differences, ...differencesOf(wanted.objects, objects)];
}

function refused({ rejected }: Case, message: string): string[] {
  const line = message.replace(/\s+/g, ' ').trim();
  if (!rejected) return [`was refused: ${line}`];
  return namesField(message, rejected.field) ? [] : [`was refused, but not for '${rejected.field}' (${rejected.why}): ${line}`];
}

function synthesized(inputs: Inputs, scope: Scope): Json[] {
  const app = new App();
  const chart = new Chart(app, 'case');
  scope.make(inputs, chart);
  app.synthYaml();
  return withoutSentinels(app.charts.flatMap((each) => each.toJson()), scope);
}

function withoutSentinels(objects: Json[], scope: Scope): Json[] {
  const missing = missingInputs(objects, scope.inputs);
  if (missing.length > 0) throw new Error(missing.map((input) => `input ${input}: required`).join('; '));
  return objects;
}

/** Only what a case needs is loaded. */
async function scopeOf({ scope, inputs }: Case): Promise<Scope | undefined> {
  if (scope === 'gitops' || scope === 'operator') return { make: (await import('./gitops'))[scope], inputs: [] };
  if (scope === 'service' && inputs.request !== undefined) {
    const { selfservice, SELFSERVICE_INPUTS } = await import('./selfservice');
    return { make: selfservice, inputs: SELFSERVICE_INPUTS };
  }
  const onboarding = await import('./onboarding');
  if (!['team', 'teams', 'platform', 'service'].includes(scope)) return undefined;
  return { make: onboarding[scope as 'team' | 'teams' | 'platform' | 'service'], inputs: onboarding.ONBOARDING_INPUTS };
}
