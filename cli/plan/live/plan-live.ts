import { readCluster, readsCluster } from './cluster-access';
import type { ClusterObjects } from './cluster-objects';
import { accessOf, type AccessOf } from './credential';
import { livePlan, type LivePlan } from './live-plan';
import { liveJson, liveReport } from './live-report';
import { ReadOnlyClient } from './read-only-client';
import { scopeOf } from './scope';
import { CredentialError } from '../../../engine/credentials/types';
import { isClusterError } from '../../cluster/connect';
import { diffMarkdown } from '../../diff/markdown';
import { diffText } from '../../diff/text';
import { readManifests } from '../../manifests/manifests';
import { formatProblem, oneLine } from '../../output/problem';
import type { Terminal } from '../../output/terminal';
import { UsageError } from '../../output/usage-error';
import { inFileOrder, subscriptionOf, type PlanOptions } from '../plan';

type Environment = Readonly<Record<string, string | undefined>>;

/** Prints what the controller would do with the objects of files, by what is in Azure now. Answers the exit status. */
export async function planLive(
  files: readonly string[], options: PlanOptions, terminal: Terminal, environment: Environment, access: AccessOf = accessOf,
): Promise<number> {
  const subscription = subscriptionOf(options, environment);
  if (subscription === undefined) {
    throw new UsageError('plan --live: give the subscription that is to be read, by --subscription or AZURE_SUBSCRIPTION_ID');
  }
  const fromCluster = readsCluster(options);
  if (!fromCluster && files.length === 0) throw new UsageError('plan --live: give files or directories of manifests, or --cluster');
  if (!fromCluster && (options.prune || options.namespace)) {
    throw new UsageError(`plan --live: ${options.prune ? '--prune' : '--namespace'} needs --cluster, --kubeconfig or --context`);
  }
  if (options.prune && files.length === 0) {
    throw new UsageError('plan --live: --prune needs files: without any, everything would count as removed');
  }
  const { manifests, problems } = readManifests(files);
  const bad = options.exitCode ? 2 : 1;
  const found = await inCluster(options, environment, fromCluster, terminal);
  if (!found) return bad;
  let client: ReadOnlyClient;
  try {
    const azure = access(environment, subscription);
    await azure.signIn();
    client = new ReadOnlyClient(azure.client);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    terminal.error(oneLine(error.message));
    return bad;
  }
  const scope = scopeOf(manifests, found.manifests, { prune: options.prune, filesGiven: files.length > 0 });
  const plan = await livePlan(scope, subscription, client);
  const all = inFileOrder([...problems, ...plan.problems]);
  for (const problem of all) terminal.error(formatProblem(problem));
  terminal.print(printed(plan, all.length, options, terminal));
  if (all.length > 0 || plan.changes.some(({ unreadable }) => unreadable)) return bad;
  return options.exitCode && plan.changes.some(({ fate }) => fate !== 'noChange') ? 1 : 0;
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
    for (const line of found.unread) terminal.error(oneLine(`not read from the cluster: ${line}`));
    return found;
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return undefined;
  }
}
