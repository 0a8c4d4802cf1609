import { Budget, createCelEngine, ExpressionError, longestExpressionError, type ExpressionEngine, type ExpressionObservation } from './cel';
import { expressionTexts } from './destinations';
import { exportsOf, type ExportOptions } from './exports-of';
import type { CheckedExpression, ExportsOutput, KindType } from './expression-jobs';
import { ExportError, type Exports, type SecretValues } from './types';
import type { KindVersion } from '../../src/catalog';
import { versionNameOf } from '../../src/object-id';
import type { KubernetesObject } from '../kubernetes/types';
import { JobStoppedError } from '../workers/errors';
import type { JobRunner } from '../workers/worker-pool';

/** Compiles and evaluates the expressions of objects. */
export interface ObjectExpressions {
  /** Compiles the expressions of an object after `prepare`. */
  readonly engine: ExpressionEngine;
  /** Call it before `engine` is used for an expression of the object. @throws QueueFullError */
  prepare(version: KindVersion, object: KubernetesObject): Promise<void>;
  /** Like the function `exportsOf`. @throws ExportError, QueueFullError */
  exportsOf(
    version: KindVersion,
    object: KubernetesObject,
    secrets: SecretValues,
    configMapValues?: ExportOptions['configMapValues'],
  ): Promise<Exports>;
}

/** Runs everything in the calling thread: for programs that read only the files of their own users. */
export function inlineExpressions(engine: ExpressionEngine): ObjectExpressions {
  return {
    engine,
    prepare: async () => undefined,
    exportsOf: async (version, object, secrets, configMapValues) =>
      exportsOf(version, object, secrets, { engine, ...(configMapValues ? { configMapValues } : {}) }),
  };
}

/**
 * The limits of the event loop's thread: expressions with so many characters in total compile in some 5 ms, and so many steps take some 5
 * ms. A worker thread evaluates expressions beyond either limit, from the beginning.
 */
const INLINE_CHARACTERS = 1000;
const INLINE_STEPS = 5000;
/**
 * For all expressions of one object in a worker thread, as a net: steps end them within a second, and compiling 1.5 MB of expressions takes
 * some 8 s.
 */
const DEADLINE_MS = 30_000;
/** Maximum characters of expressions whose facts are cached. */
const MOST_KEPT = 1024 * 1024;

/** Evaluates small expressions in the calling thread, all others in worker threads. */
export function isolatedExpressions(jobs: JobRunner, onCompile?: (observation: ExpressionObservation) => void): ObjectExpressions {
  const inline = createCelEngine(onCompile);
  const checked = new CheckedExpressions();
  const engine: ExpressionEngine = {
    compile(version, text) {
      const facts = checked.get(version, text);
      if (!facts) return inline.compile(version, unlessLong(text));
      if ('refused' in facts) throw new ExpressionError('compile', facts.refused);
      const evaluate = () => {
        throw new Error('an expression that a worker thread has checked is evaluated there');
      };
      return { text, ...facts, evaluate };
    },
  };
  return {
    engine,
    async prepare(version, { metadata, spec }) {
      const texts = expressionTexts(spec);
      if (isSmall(texts)) return;
      const unknown = [...new Set(texts)].filter((text) => longestExpressionError(text) === undefined && !checked.get(version, text));
      if (unknown.length === 0) return;
      checked.set(version, unknown, await check(version, unknown, metadata.namespace ?? '', jobs));
    },
    async exportsOf(version, object, secrets, configMapValues) {
      const texts = expressionTexts(object.spec);
      const options = { engine: inline, ...(configMapValues ? { configMapValues } : {}) };
      if (texts.length === 0) return exportsOf(version, object, secrets, options);
      return (
        (isSmall(texts) ? small(version, object, secrets, options) : undefined) ?? large(version, object, secrets, configMapValues, jobs)
      );
    },
  };
}

/** Undefined when the evaluation exceeds the limits of the event loop's thread. */
function small(version: KindVersion, object: KubernetesObject, secrets: SecretValues, options: ExportOptions): Exports | undefined {
  const budget = new Budget(INLINE_STEPS);
  try {
    const exports = exportsOf(version, object, secrets, { ...options, budget });
    return budget.isExhausted ? undefined : exports;
  } catch (error) {
    if (budget.isExhausted) return undefined;
    throw error;
  }
}

async function large(
  version: KindVersion, object: KubernetesObject, secrets: SecretValues, configMapValues: ExportOptions['configMapValues'], jobs: JobRunner,
): Promise<Exports> {
  try {
    const options = { namespace: object.metadata.namespace ?? '', deadlineMs: DEADLINE_MS };
    const output = await jobs.run('exports', { type: typeOf(version), object, secrets, configMapValues }, options) as ExportsOutput;
    if ('exports' in output) return output.exports;
    const { failure, message, reason, severity } = output.refused;
    throw new ExportError(failure, message, reason, severity);
  } catch (error) {
    if (!(error instanceof JobStoppedError)) throw error;
    throw stopped(error);
  }
}

async function check(
  version: KindVersion,
  texts: readonly string[],
  namespace: string,
  jobs: JobRunner,
): Promise<readonly CheckedExpression[]> {
  try {
    return await jobs.run('expressions', { type: typeOf(version), texts }, { namespace, deadlineMs: DEADLINE_MS }) as CheckedExpression[];
  } catch (error) {
    if (!(error instanceof JobStoppedError)) throw error;
    return texts.map(() => ({ refused: stoppedText('compiling', error) }));
  }
}

function stopped(error: JobStoppedError): ExportError {
  const failure = new ExportError('evaluate', stoppedText('evaluating', error), 'FailedWritingAdditionalKubernetesObjects', 'Error');
  failure.cause = error;
  return failure;
}

function stoppedText(act: string, error: JobStoppedError): string {
  return `${act} the expressions of this object ${error.message}; make lists and texts smaller, or nest fewer comprehensions`;
}

function isSmall(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) <= INLINE_CHARACTERS;
}

/** Rejects an expression that was not prepared; an oversized one passes, because the compiler refuses it. */
function unlessLong(text: string): string {
  if (text.length > INLINE_CHARACTERS && longestExpressionError(text) === undefined) {
    throw new Error('an expression is checked before a worker thread has compiled it');
  }
  return text;
}

function typeOf(version: KindVersion): KindType {
  return { group: version.kind.group, kind: version.kind.kind, version: versionNameOf(version) };
}

/** Facts about expressions that worker threads have compiled; the oldest are evicted first. */
class CheckedExpressions {
  private readonly known = new Map<string, CheckedExpression>();
  private size = 0;

  public get(version: KindVersion, text: string): CheckedExpression | undefined {
    return this.known.get(keyOf(version, text));
  }

  public set(version: KindVersion, texts: readonly string[], facts: readonly CheckedExpression[]): void {
    texts.forEach((text, index) => {
      const checked = facts[index];
      if (!checked) return;
      const key = keyOf(version, text);
      if (!this.known.has(key)) this.size += key.length;
      this.known.set(key, checked);
    });
    for (const key of this.known.keys()) {
      // The newest entry is used next, so it stays, whatever its size.
      if (this.size <= MOST_KEPT || this.known.size <= texts.length) break;
      this.known.delete(key);
      this.size -= key.length;
    }
  }
}

function keyOf(version: KindVersion, text: string): string {
  return `${version.apiVersion} ${version.kind.kind} ${text}`;
}
