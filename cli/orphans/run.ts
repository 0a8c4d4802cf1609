import { findOrphans, type Orphans } from './find-orphans';
import { CredentialError } from '../../engine/credentials/types';
import { armIdProblem, isArmId, parseArmId } from '../../src/azure/arm-id';
import { quotedText } from '../../src/azure/arm-segment';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { UUID } from '../../src/azure/uuid';
import { counted } from '../../src/util/words';
import { isClusterError } from '../cluster/connect';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { laterAsPlaceholders } from '../manifests/later/later-values';
import { valuesOf } from '../manifests/later/value-options';
import { appliedKeyOf } from '../manifests/manifests';
import type { Manifest } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { NO_SUBSCRIPTION } from '../manifests/subscriptions';
import { fewLines, problemLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';
import { readCluster, readsCluster } from '../plan/live/cluster-access';
import { accessOf, type AccessOf } from '../plan/live/credential';
import { ReadOnlyClient } from '../plan/live/read-only-client';
import { inFileOrder } from '../plan/plan';

/** The options of `cdk8s-aso orphans`. */
export interface OrphansOptions extends FileOptions {
  readonly scope: readonly string[];
  readonly cluster: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly subscription?: string;
  readonly output: 'text' | 'json';
  readonly exitCode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `cdk8s-aso orphans`. Answers the exit status. */
export async function runOrphans(
  files: readonly string[], options: OrphansOptions, terminal: Terminal, environment: Environment, access: AccessOf = accessOf,
): Promise<number> {
  const scopes = options.scope.map(scopeOf);
  const fromCluster = readsCluster(options);
  if (!fromCluster && files.length === 0) {
    throw new UsageError('orphans: give files or directories of manifests, or --cluster: without any, everything would be an orphan');
  }
  const subscription = subscriptionOf(options, environment, scopes);
  const bad = options.exitCode ? 2 : 1;
  const { manifests: written, problems, notes } = readManifests(files, 'refuse', valuesOf(options), foldersOf(options));
  printNotes(notes, terminal);
  const manifests = laterAsPlaceholders(written);
  try {
    const inCluster = fromCluster ? await readCluster(options, environment) : { manifests: [], unread: [] };
    const azure = access(environment, subscription);
    await azure.signIn();
    const client = new ReadOnlyClient(azure.client);
    const orphans = await findOrphans(joined(manifests, inCluster.manifests), scopes, subscription, client);
    const all = inFileOrder([...problems, ...orphans.problems]);
    for (const line of problemLines(all, options.output === 'json')) terminal.error(line);
    for (const line of fewLines(inCluster.unread)) terminal.error(oneLine(`not read from the cluster: ${line}`));
    for (const line of fewLines(orphans.unread.map(({ what, why }) => `${what}: ${why}`))) terminal.error(oneLine(line));
    terminal.print(options.output === 'json' ? jsonOf(orphans) : textOf(orphans, terminal));
    if (all.length + inCluster.unread.length + orphans.unread.length > 0) return bad;
    return options.exitCode && orphans.resources.length + orphans.objects.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CredentialError) && !isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return bad;
  }
}

/** Objects of files, and those of the cluster that are not in files. */
function joined(files: readonly Manifest[], cluster: readonly Manifest[]): Manifest[] {
  const key = ({ object }: Manifest) => appliedKeyOf(object);
  const inFiles = new Set(files.map(key));
  return [...files, ...cluster.filter((manifest) => !inFiles.has(key(manifest)))];
}

function scopeOf(text: string): string {
  const id = withoutTrailingSlashes(text.trim());
  const problem = isArmId(id) ? armIdProblem(id) : 'is no ARM id; one begins with /subscriptions/';
  if (problem !== undefined) throw new UsageError(`orphans: --scope ${quotedText(text)} ${problem}`);
  return id;
}

function subscriptionOf({ subscription }: OrphansOptions, { AZURE_SUBSCRIPTION_ID }: Environment, scopes: readonly string[]): string {
  const own = subscription ?? (AZURE_SUBSCRIPTION_ID || undefined) ?? scopes.map((id) => parseArmId(id)?.subscriptionId).find((id) => id);
  if (own !== undefined && !UUID.test(own)) throw new UsageError(`orphans: the subscription ${quotedText(own)} is no UUID. Give --subscription, or set AZURE_SUBSCRIPTION_ID`);
  return own ?? NO_SUBSCRIPTION;
}

function jsonOf({ scopes, resources, objects, unread }: Orphans): string {
  return JSON.stringify({ scopes, resources, objects, unread }, undefined, 2);
}

function textOf({ scopes, resources, objects }: Orphans, { style }: Terminal): string {
  if (scopes.length === 0) return 'No object has a known resource group. Give --scope.';
  return [
    ...(resources.length === 0 ? [] : [style.bold(`In Azure, without an object: ${resources.length}`)]),
    ...resources.map(({ armId, kind }) => `  ${kind}  ${oneLine(armId)}`),
    ...(objects.length === 0 ? [] : [style.bold(`Objects without a resource: ${objects.length}`)]),
    ...objects.map(({ armId, object, from }) => `  ${oneLine(object)}  ${oneLine(armId)}  (${oneLine(from)})`),
    `${counted(resources.length, 'resource')} without an object, ${counted(objects.length, 'object')} without a resource, in ${counted(scopes.length, 'scope')}.`,
  ].join('\n');
}
