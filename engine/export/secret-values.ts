import type { CompiledExpression, ExpressionEngine } from './cel';
import { Budget, BudgetError, createCelEngine, ExpressionError } from './cel';
import { expressions, secretDestinations } from './destinations';
import { stepError } from './export-step';
import { PendingCalls } from './pending-calls';
import type { Found, SecretSource } from './secret-source';
import { findInAnswer, parseSource } from './secret-source';
import type { SecretValues } from './types';
import type { KindVersion } from '../../src/catalog';
import { ownValue } from '../../src/util/elements';
import type { Struct } from '../../src/util/records';
import { decodeSecretValue } from '../../src/util/secret-data';
import { nextOf, readObject } from '../arm/arm-reader';
import { ArmError } from '../arm/types';
import type { ArmClient, ArmRequest, RawAnswer } from '../arm/types';

type Spec = Readonly<Record<string, unknown>> | undefined;

/** A list of keys has a page or two; a server with more than this sends cyclic links. */
const MOST_PAGES = 20;

/** One engine for the process, because it caches programs and environments. */
export const defaultEngine: ExpressionEngine = createCelEngine();

const pendingCalls = new PendingCalls();

/**
 * The names of secret values that an export needs: configured destinations, and `secret.x` of `secretExpressions` (also in their labels and
 * annotations).
 *
 * @throws ExportError when a secret expression does not compile.
 */
export function secretsWanted(version: KindVersion, spec: Spec, engine: ExpressionEngine = defaultEngine): string[] {
  const destinations = secretDestinations(version, spec).map(([name]) => name);
  const budget = new Budget();
  const used = expressions(spec, 'secretExpressions').flatMap(({ value, labels = {}, annotations = {} }) =>
    [value, ...Object.values(labels), ...Object.values(annotations)].flatMap((text) => compiled(version, text, engine, budget).secretNames),
  );
  return [...new Set([...destinations, ...used])].sort();
}

/**
 * The calls (by their names in the catalog) that `fetchSecretValues` will make. Empty: no request to Azure is needed.
 *
 * @throws ExportError when a secret expression does not compile.
 */
export function secretCallsNeeded(version: KindVersion, spec: Spec, engine?: ExpressionEngine): string[] {
  return callsFor(version, secretsWanted(version, spec, engine));
}

/**
 * Fetches the wanted values from Azure: one request per call, even if it returns several values; none for values from the status or the id.
 *
 * @throws ExportError when Azure refuses (its `cause` is the ArmError), and while a long-running call is not finished.
 */
export async function fetchSecretValues(
  client: ArmClient, armId: string, version: KindVersion, wanted: readonly string[], signal?: AbortSignal, pending = pendingCalls,
): Promise<SecretValues> {
  const values: Record<string, string> = {};
  const notThere: string[] = [];
  for (const call of callsFor(version, wanted)) {
    const answer = await answerOf(client, armId, version, call, pending, signal);
    for (const name of wanted) {
      const source = secretSourceOf(version, name);
      if (source?.from !== 'call' || source.call !== call) continue;
      const found = decoded(version, name, findInAnswer(answer, source.path));
      if (found === 'nowhere') notThere.push(name);
      else if (found !== 'missing') values[name] = found.value;
    }
  }
  return { values, notThere };
}

/** The source of a value; undefined for a name that the kind does not have or that has no source. */
export function secretSourceOf(version: KindVersion, name: string): SecretSource | undefined {
  const sources = version.kind.facts.secretSources?.values ?? {};
  const source = ownValue(sources, name);
  return source === undefined ? undefined : parseSource(source);
}

function callsFor(version: KindVersion, names: readonly string[]): string[] {
  const calls = names.flatMap((name) => {
    const source = secretSourceOf(version, name);
    return source?.from === 'call' ? [source.call] : [];
  });
  return [...new Set(calls)].sort();
}

function compiled(version: KindVersion, text: string, engine: ExpressionEngine, budget: Budget): CompiledExpression {
  try {
    budget.spend(text.length);
    return engine.compile(version, text);
  } catch (error) {
    if (!(error instanceof ExpressionError) && !(error instanceof BudgetError)) throw error;
    throw stepError('compile', 'compile', [error.message]);
  }
}

async function answerOf(
  client: ArmClient, armId: string, version: KindVersion, call: string, pending: PendingCalls, signal?: AbortSignal,
): Promise<unknown> {
  const facts = version.kind.facts.secretSources!.calls?.[call];
  if (!facts) throw new Error(`catalog: ${version.kind.kind} has no call ${call}`);
  const url = `${armId}/${facts.path}`;
  // If ASO's api-version is unknown, the kind's own api-version has the call as well.
  const apiVersion = facts.apiVersion ?? version.facts.arm!.apiVersion;
  const request = { method: facts.method as 'POST' | 'GET', url, apiVersion, purpose: 'export' } as const;
  if (pending.has(request)) return later(url, () => pending.look(client, request, signal));
  const first = await refusedAsExport(() => client.send(request, signal));
  if (first.status === 202) return later(url, async () => pending.begin(request, first));
  return refusedAsExport(() => withFollowingPages(client, armId, request, first, signal));
}

/** The result of a long-running call, or an error that makes the next reconcile poll again. */
async function later(url: string, look: () => Promise<{ readonly result: unknown } | void>): Promise<unknown> {
  const found = await refusedAsExport(look);
  if (found) return found.result;
  throw stepError('secrets', 'fetch', [`Azure has accepted ${url.slice(url.lastIndexOf('/') + 1)} and is not done yet`]);
}

/** The answer of a call with the rows of all its pages, because a partial answer must not be exported. */
async function withFollowingPages(
  client: ArmClient, armId: string, request: ArmRequest, first: RawAnswer, signal?: AbortSignal,
): Promise<Struct> {
  const body = readObject(request, first);
  const pages = [body];
  let next = nextOf(request, first, body.nextLink, armId);
  while (next !== undefined) {
    if (pages.length >= MOST_PAGES) throw new ArmError('UnknownError', `${request.url} has more than ${MOST_PAGES} pages`);
    const following = { method: 'GET', url: next, purpose: 'export', isFromAnswer: true } as const;
    const answer = await client.send(following, signal);
    const page = readObject(following, answer);
    pages.push(page);
    next = nextOf(request, answer, page.nextLink, armId);
  }
  if (pages.length === 1) return body;
  return { ...body, value: pages.flatMap(({ value }) => (Array.isArray(value) ? value as unknown[] : [])) };
}

async function refusedAsExport<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    throw stepError('secrets', 'fetch', [`${error.code}: ${error.message}`], error);
  }
}

function decoded(version: KindVersion, name: string, found: Found): Found {
  if (typeof found === 'string' || !version.kind.facts.secretSources?.base64?.includes(name)) return found;
  return { value: decodeSecretValue(found.value) };
}
