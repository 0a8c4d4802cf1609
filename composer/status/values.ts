import type { OwnObject } from './own-object';
import { Budget, compileUntyped, ExpressionError, type UntypedExpression } from '../../engine/export/cel';
import type { KubernetesObject } from '../../engine/kubernetes';
import type { ObjectId } from '../../src/object-id';
import { setNewest } from '../../src/util/set-newest';
import { safeText } from '../apply/failures';
import type { RenderedClaim } from '../render/types';

/** The answer of a readiness expression. */
export type EvaluateReadiness = (cel: string, object: KubernetesObject) => { readonly isReady: boolean; readonly why: string };

/** Reads a key of a ConfigMap; undefined: there is no such key, or it cannot be read. */
export type ReadKey = (namespace: string, name: string, key: string) => Promise<string | undefined>;

export type OutputValue = string | number | boolean;

/** The steps of one expression, some 10 ms: the event loop must not stand still for what a tenant has put into an object. */
const STEPS = 20_000;
const MOST_PROGRAMS = 500;
const LONGEST_OUTPUT = 1_024;
const MOST_LINKS = 50;

const programs = new Map<string, UntypedExpression>();

/** A readiness expression has to give `true`. */
export const evaluateReadiness: EvaluateReadiness = (cel, object) => {
  try {
    const value = evaluate(cel, object);
    return value === true ? { isReady: true, why: '' } : { isReady: false, why: `${cel} is not true` };
  } catch (error) {
    if (isSecret(object)) return { isReady: false, why: `${cel} has no value (the error is withheld: it may quote values of the Secret)` };
    return { isReady: false, why: safeText((error as Error).message) };
  }
};

/** The outputs that have a value now. A Secret gives none: whoever may read the claim reads its outputs. */
export async function outputsOf(
  { outputs }: Pick<RenderedClaim, 'outputs'>, find: (name: ObjectId) => OwnObject, readKey: ReadKey,
): Promise<Record<string, OutputValue>> {
  const found = await Promise.all(Object.entries(outputs).map(async ([name, output]): Promise<[string, unknown]> => {
    if ('value' in output) return [name, output.value];
    if ('configMap' in output) return [name, await readKey(output.configMap.namespace, output.configMap.name, output.configMap.key)];
    const { group, kind, namespace = '', name: objectName } = output.object;
    return [name, valueOf(find({ group, kind, namespace, name: objectName }), output.cel)];
  }));
  return Object.fromEntries(found.filter((entry): entry is [string, OutputValue] => isOutput(entry[1])));
}

/** Links with https, which a page may open. */
export function linksOf({ links }: Pick<RenderedClaim, 'links'>): Record<string, string> {
  return Object.fromEntries(Object.entries(links).filter(([, url]) => URL.canParse(url) && new URL(url).protocol === 'https:').slice(0, MOST_LINKS));
}

function valueOf(found: OwnObject, cel: string): unknown {
  if (found.state !== 'present' || isSecret(found.object)) return undefined;
  try {
    return evaluate(cel, found.object);
  } catch (error) {
    // A member that is not there yet.
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function evaluate(cel: string, object: KubernetesObject): unknown {
  let program = programs.get(cel);
  if (!program) {
    program = compileUntyped(cel);
    setNewest(programs, cel, program, MOST_PROGRAMS);
  }
  return program.evaluate(object, new Budget(STEPS));
}

function isSecret({ apiVersion, kind }: KubernetesObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function isOutput(value: unknown): value is OutputValue {
  if (typeof value === 'string') return value.length <= LONGEST_OUTPUT;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
