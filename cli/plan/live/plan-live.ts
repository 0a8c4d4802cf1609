import { readCluster, readsCluster } from './cluster-access';
import type { ClusterObjects } from './cluster-objects';
import { accessOf, type AccessOf } from './credential';
import { livePlan, type LivePlan } from './live-plan';
import { liveJson, liveReport } from './live-report';
import { ReadOnlyClient } from './read-only-client';
import { scopeOf } from './scope';
import { TenantClients } from './tenant-clients';
import { CredentialError } from '../../../engine/credentials/types';
import { parseArmId } from '../../../src/azure/arm-id';
import { isClusterError } from '../../cluster/connect';
import { diffMarkdown } from '../../diff/markdown';
import { diffText } from '../../diff/text';
import { printNotes } from '../../manifests/file-options';
import { foldersOf } from '../../manifests/folders/folder-options';
import { laterAsPlaceholders } from '../../manifests/later/later-values';
import { valuesOf } from '../../manifests/later/value-options';
import type { Manifest } from '../../manifests/manifests';
import { objectSetOf } from '../../manifests/object-set';
import { readManifests } from '../../manifests/read-manifests';
import { fewLines, problemLines } from '../../output/few-of-each';
import { oneLine } from '../../output/problem';
import type { Terminal } from '../../output/terminal';
import { UsageError } from '../../output/usage-error';
import { inFileOrder, subscriptionOf, type PlanOptions } from '../plan';

const WHICH_SUBSCRIPTION = 'plan --live: give the subscription that is to be read, by --subscription or AZURE_SUBSCRIPTION_ID';

type Environment = Readonly<Record<string, string | undefined>>;

/** Prints what the controller would do with the objects of files, by what is in Azure now. Answers the exit status. */
export async function planLive(
  files: readonly string[], options: PlanOptions, terminal: Terminal, environment: Environment, access: AccessOf = accessOf,
): Promise<number> {
  const subscription = subscriptionOf(options, environment);
  const fromCluster = readsCluster(options);
  if (subscription === undefined && files.length === 0 && !fromCluster) throw new UsageError(WHICH_SUBSCRIPTION);
  if (!fromCluster && files.length === 0) throw new UsageError('plan --live: give files or directories of manifests, or --cluster');
  if (!fromCluster && (options.prune || options.namespace)) {
    throw new UsageError(`plan --live: ${options.prune ? '--prune' : '--namespace'} needs --cluster, --kubeconfig or --context`);
  }
  if (options.prune && files.length === 0) {
    throw new UsageError('plan --live: --prune needs files: without any, everything would count as removed');
  }
  const { manifests: written, problems, notes } = readManifests(files, 'refuse', valuesOf(options), foldersOf(options));
  printNotes(notes, terminal);
  const manifests = laterAsPlaceholders(written);
  const bad = options.exitCode ? 2 : 1;
  const found = await inCluster(options, environment, fromCluster, terminal);
  if (!found) return bad;
  const scope = scopeOf(manifests, found.manifests, { prune: options.prune, filesGiven: files.length > 0 });
  const first = subscription ?? knownSubscription(scope.manifests);
  if (first === undefined) throw new UsageError(WHICH_SUBSCRIPTION);
  let client: ReadOnlyClient;
  try {
    const azure = access(environment, first);
    await azure.signIn();
    client = new ReadOnlyClient(azure.client);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    terminal.error(oneLine(error.message));
    return bad;
  }
  const plan = await livePlan(scope, subscription, client, new TenantClients(client, access, environment));
  const all = inFileOrder([...problems, ...plan.problems]);
  for (const line of problemLines(all, options.output === 'json')) terminal.error(line);
  terminal.print(printed(plan, all.length, options, terminal));
  if (all.length > 0 || plan.changes.some(({ unreadable }) => unreadable)) return bad;
  return options.exitCode && plan.changes.some(({ fate }) => fate !== 'noChange') ? 1 : 0;
}

/** A subscription that the credential of an object is for, or that an owner is in. */
function knownSubscription(manifests: readonly Manifest[]): string | undefined {
  const set = objectSetOf(manifests);
  return set.azure.map((object) => set.subscriptionOf(object).id ?? parseArmId(object.facts.owner?.armId ?? '')?.subscriptionId)
    .find((id) => id !== undefined);
}

function printed({ changes }: LivePlan, problems: number, options: PlanOptions, { style }: Terminal): string {
  const { output } = options;
  if (output === 'json') return JSON.stringify(liveJson(changes), undefined, 2);
  if (changes.length === 0) {
    return problems > 0
      ? 'No Azure objects that could be planned.'
      : `No Azure objects in the ${readsCluster(options) ? 'cluster' : 'files'}.`;
  }
  const report = liveReport(changes, problems);
  return output === 'markdown' ? diffMarkdown(report) : diffText(report, style);
}

/** Undefined, after a line about it, where there is no cluster to be read. */
async function inCluster(
  options: PlanOptions,
  environment: Environment,
  asked: boolean,
  terminal: Terminal,
): Promise<ClusterObjects | undefined> {
  if (!asked) return { manifests: [], unread: [] };
  try {
    const found = await readCluster(options, environment);
    for (const line of fewLines(found.unread)) terminal.error(oneLine(`not read from the cluster: ${line}`));
    return found;
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return undefined;
  }
}
