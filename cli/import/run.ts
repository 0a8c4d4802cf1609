import { withAnswersFile } from './answers-file';
import { progressOf } from './progress';
import { jsonReport, noteLines } from './report';
import { idsOf, type Sources } from './sources';
import { verified } from './verify';
import { written } from './write';
import type { ArmClient } from '../../engine/arm/types';
import { CredentialError } from '../../engine/credentials/types';
import { ImportableKinds } from '../../engine/import/importable-kinds';
import { Importer, type ImportResult } from '../../engine/import/importer';
import type { NameStrategy } from '../../engine/import/object-names';
import { toManifests, type ImportPolicy } from '../../engine/import/to-manifests';
import { documentedUnsaid } from '../../engine/import/unsaid';
import { parseArmId } from '../../src/azure/arm-id';
import { Catalog } from '../../src/catalog';
import { NO_SUBSCRIPTION } from '../manifests/subscriptions';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';
import { accessOf, type AccessOf } from '../plan/live/credential';
import { ReadOnlyClient } from '../plan/live/read-only-client';

/** The options of `cdk8s-aso import`. */
export interface ImportCommandOptions extends Sources {
  readonly children: boolean;
  /** Whether values are kept that Azure would take anyway. */
  readonly defaults: boolean;
  readonly format: 'typescript' | 'yaml' | 'json';
  readonly out?: string;
  readonly policy: ImportPolicy;
  readonly namespace?: string;
  readonly names?: NameStrategy;
  readonly namePrefix?: string;
  readonly label: Readonly<Record<string, string>>;
  readonly annotation: Readonly<Record<string, string>>;
  readonly verify: boolean;
  readonly state?: string;
  readonly workers: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `cdk8s-aso import`. Answers the exit status. */
export async function runImport(
  ids: readonly string[], options: ImportCommandOptions, terminal: Terminal, environment: Environment, access: AccessOf = accessOf,
): Promise<number> {
  if (ids.length + options.query.length + options.terraformState.length + options.deployment.length === 0) {
    throw new UsageError('import: give the id of a resource, a resource group or a subscription, or --query, --terraform-state or --deployment');
  }
  const write = written(options, terminal);
  const subscription = options.subscription ?? (environment.AZURE_SUBSCRIPTION_ID || undefined) ?? subscriptionIn(ids);
  const reader = await readerOf(environment, subscription ?? NO_SUBSCRIPTION, options, terminal, access);
  if (!reader) return 1;
  const stopped = stopping();
  try {
    const roots = await idsOf(ids, options, { client: reader.client, subscription, signal: stopped.signal });
    refuseSeveralSubscriptions(roots.ids);
    const progress = progressOf(process.stderr, terminal);
    const importer = new Importer(reader.client, new ImportableKinds(Catalog.default()), {
      concurrency: options.workers,
      children: options.children,
      unsaid: documentedUnsaid(Catalog.default(), { defaults: !options.defaults }),
      onProgress: progress.report,
      signal: stopped.signal,
    });
    const read = await importer.run(roots.ids);
    progress.end();
    if (stopped.signal.aborted) return saysStopped(options, terminal);
    const result = { ...read, others: [...roots.failed.map((source) => ({ ...source, what: 'failed' as const })), ...read.others] };
    const planned = subscription ?? subscriptionIn(roots.ids) ?? NO_SUBSCRIPTION;
    return await finish(result, options, { terminal, client: reader.client, subscription: planned, write, signal: stopped.signal });
  } finally {
    stopped.end();
    reader.end();
  }
}

interface Finishing {
  readonly terminal: Terminal;
  readonly client: ArmClient;
  readonly subscription: string;
  readonly write: ReturnType<typeof written>;
  readonly signal: AbortSignal;
}

async function finish(
  result: ImportResult, options: ImportCommandOptions, { terminal, client, subscription, write, signal }: Finishing,
): Promise<number> {
  const manifests = toManifests(result.resources, {
    policy: options.policy,
    namespace: options.namespace,
    labels: options.label,
    annotations: options.annotation,
    names: options.names,
    namePrefix: options.namePrefix,
  });
  const changes = options.verify ? await verified(manifests, client, subscription) : undefined;
  if (signal.aborted) return saysStopped(options, terminal);
  if (options.format === 'json') terminal.print(jsonReport(manifests, result, changes));
  else if (manifests.length > 0) write(manifests);
  for (const line of fewLines(noteLines(manifests, result))) terminal.note(oneLine(line));
  const failed = result.others.filter(({ what }) => what !== 'left-out');
  for (const line of fewLines(failed.map(({ id, why }) => `${id}: ${why}`), options.format === 'json')) terminal.error(oneLine(line));
  for (const line of fewLines(changes?.lines ?? [], options.format === 'json')) terminal.error(oneLine(line));
  if (manifests.length === 0) terminal.error('nothing was imported');
  return failed.length > 0 || manifests.length === 0 || (changes?.lines.length ?? 0) > 0 ? 1 : 0;
}

/** Answers the status of a program that was stopped. */
function saysStopped({ state }: ImportCommandOptions, terminal: Terminal): number {
  terminal.error(state === undefined
    ? 'stopped; nothing was written. With --state FILE the next import goes on from here'
    : `stopped; nothing was written. The same command goes on from what ${state} has`);
  return 130;
}

/**
 * An object is made in the subscription of its credential, and names none: a group of another subscription would be taken for one of the
 * same name.
 * @throws UsageError
 */
function refuseSeveralSubscriptions(ids: readonly string[]): void {
  const found = [...new Set(ids.flatMap((id) => parseArmId(id)?.subscriptionId?.toLowerCase() ?? []))];
  if (found.length < 2) return;
  throw new UsageError(
    `import: the resources are of ${found.length} subscriptions (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}). An object is of the subscription of its `
    + 'credential: import each by itself, into a namespace with a credential of its own',
  );
}

interface Reader {
  readonly client: ArmClient;
  end(): void;
}

async function readerOf(
  environment: Environment, subscription: string, { state }: ImportCommandOptions, terminal: Terminal, access: AccessOf,
): Promise<Reader | undefined> {
  try {
    const azure = access(environment, subscription);
    await azure.signIn();
    return withAnswersFile(new ReadOnlyClient(azure.client), state);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    terminal.error(oneLine(error.message));
    return undefined;
  }
}

/** The subscription of the first id: that of the credential is not known before a token is there. */
function subscriptionIn(ids: readonly string[]): string | undefined {
  return ids.map((id) => parseArmId(id)?.subscriptionId).find((found) => found !== undefined);
}

/** Aborts at the first Ctrl-C, so that what was read is kept; a second one ends the program. */
function stopping(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return { signal: controller.signal, end: () => void process.off('SIGINT', stop).off('SIGTERM', stop) };
}
