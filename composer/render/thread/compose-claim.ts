import { BUNDLE_NAME, definitionsOf, type Evaluate, type Externals } from './bundle';
import { isThenable, listedIssues } from './check-spec';
import { CompositionError, failed } from './composition-error';
import { upgraded } from './convert-specs';
import { frozenClaim } from './frozen-claim';
import type { GlobalState } from './global-state';
import type { Clock } from './guarded-globals';
import { ReadObjects } from './read-objects';
import { renderApp } from './rendered-objects';
import { renderedLinks, renderedOutputs } from './rendered-values';
import { groupOf, versionNameOf } from '../../../src/object-id';
import { isClaimError, type ApiDefinition, type Composition } from '../../../src/platform-api';
import { isRecord } from '../../../src/util/records';
import { messageOf } from '../../message-of';
import type { ClaimObject, ComposeJob, ComposeRun, JobPhase } from '../jobs';
import type { BundlePosition, ComposeProblem, RenderedClaim } from '../types';

export interface Thread {
  readonly evaluate: Evaluate;
  readonly externals: Externals;
  readonly clock: Clock;
  readonly globals: GlobalState;
  /** Lines that the bundle wrote to the console since the job began. */
  readonly logs: string[];
  readonly report: (phase: JobPhase) => void;
}

type Outcome = Omit<ComposeRun, 'tookMs'>;

/** Composes a claim. Problems of the claim and of the definition are values; an error is one of the bundle. */
export function composeClaim(thread: Thread, job: ComposeJob): Outcome {
  const first = composedOnce(thread, job);
  if (!job.twice || !first.rendered) return first;
  thread.logs.length = 0;
  thread.globals.restore();
  const second = composedOnce(thread, job);
  if (second.needs) return second;
  const different = (message: string): Outcome => ({ problem: { reason: 'NotDeterministic', message }, used: second.used });
  if (!second.rendered) return different('compose gave objects, and at the second time an error');
  const difference = differenceOf(first.rendered, second.rendered);
  return difference === undefined ? second : different(difference);
}

function composedOnce(thread: Thread, { claim: text, limits, reads: known }: ComposeJob): Outcome {
  const { report, clock, externals, evaluate } = thread;
  const claim = JSON.parse(text) as ClaimObject;
  const createdAt = Date.parse(claim.metadata.creationTimestamp ?? '');
  clock.now = Number.isNaN(createdAt) ? 0 : createdAt;
  report('load');
  const definitions = definitionsOf(evaluate);
  let reads: ReadObjects | undefined;
  const outcome = ((): Pick<Outcome, 'rendered' | 'problem'> => {
    try {
      const definition = definitionFor(claim, definitions);
      reads = new ReadObjects(definition, definitions, claim, known);
      report('validate');
      const spec = upgraded(definition, versionNameOf(claim), claim.spec ?? {}, report);
      report('compose');
      const { App, Chart } = externals.cdk8s;
      const app = new App({ outdir: '/', recordConstructMetadata: false });
      const { namespace } = claim.metadata;
      // Names that cdk8s makes have the path in them, so they differ between the claims of all namespaces.
      const place = new externals.constructs.Construct(app, namespace ?? 'cluster');
      const chart = new Chart(place, claim.metadata.name, namespace === undefined ? {} : { namespace });
      const composition = compositionOf(definition.compose(chart, frozenClaim(claim, spec, clock.now, reads.of as never)));
      report('render');
      const { objects, idOf } = renderApp(app, definition, definitions, limits, composition, externals);
      const outputs = renderedOutputs(composition, idOf, mayReadConfigMaps(definition));
      return { rendered: { objects, outputs, links: renderedLinks(composition), logs: [...thread.logs] } };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  })();
  // Also where the definition has caught the error: what it made of it is no result.
  if (reads && reads.needs.length > 0) return { needs: reads.needs, used: reads.used };
  return { ...outcome, used: reads?.used ?? [] };
}

function definitionFor({ apiVersion, kind }: ClaimObject, definitions: readonly ApiDefinition[]): ApiDefinition {
  const group = groupOf({ apiVersion });
  const definition = definitions.find((one) => one.group === group && one.kind === kind);
  if (!definition) throw failed(`the bundle has no definition of ${kind} in group ${group}`);
  return definition;
}

/** Whether the composer has the right to get the ConfigMaps of outputs. */
function mayReadConfigMaps({ configMapOutputs, composes, reads }: ApiDefinition): boolean {
  return configMapOutputs === true || [...composes, ...reads].some(({ group, kind }) => group === '' && kind === 'ConfigMap');
}

function compositionOf(answer: unknown): Composition {
  if (answer === undefined) return {};
  if (isThenable(answer)) {
    throw failed('compose is asynchronous: it must build everything before it returns. Remove `async` and `await`');
  }
  if (!isRecord(answer)) throw failed('compose must return nothing, or an object with outputs, links and readiness');
  const { outputs, links, readiness } = answer as Composition;
  if (readiness !== undefined && !Array.isArray(readiness)) throw failed('readiness is a list of { object, cel }');
  return { ...(outputs && { outputs }), ...(links && { links }), ...(readiness && { readiness }) };
}

/** The problem that an error stands for. */
export function problemOf(error: unknown): ComposeProblem {
  if (error instanceof CompositionError) return error.problem;
  if (isClaimError(error)) return { reason: 'InvalidSpec', issues: listedIssues(error.issues) };
  const stack = positionsOf(error);
  const message = isStackOverflow(error) ? STACK_OVERFLOW : messageOf(error);
  return { reason: 'ComposeFailed', message, ...(stack.length > 0 && { stack }) };
}

const STACK_OVERFLOW = 'the stack is exhausted: a function calls itself without end, or a value contains itself';

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size');
}

/** The frames of the bundle in an error's stack. */
function positionsOf(error: unknown): BundlePosition[] {
  try {
    const { stack } = error as { readonly stack?: unknown };
    if (typeof stack !== 'string') return [];
    const frames = [...stack.slice(0, 20_000).matchAll(FRAME)].slice(0, 20);
    return frames.map(([, line, column]) => ({ line: Number(line), column: Number(column) }));
  } catch {
    return [];
  }
}

const FRAME = new RegExp(`${BUNDLE_NAME.replaceAll('.', '\\.')}:(\\d{1,9}):(\\d{1,9})`, 'g');

/** The first difference between two compositions of one claim. */
function differenceOf(one: RenderedClaim, other: RenderedClaim): string | undefined {
  const hint = 'the same claim must give the same objects';
  if (one.objects.length !== other.objects.length) {
    return `compose gave ${one.objects.length} objects, and at the second time ${other.objects.length}: ${hint}`;
  }
  const index = one.objects.findIndex((object, at) => JSON.stringify(object) !== JSON.stringify(other.objects[at]));
  if (index >= 0) return `${one.objects[index]!.path} was another object at the second time: ${hint}`;
  const member = (['outputs', 'links'] as const).find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return member === undefined ? undefined : `${member} had other values at the second time: ${hint}`;
}
