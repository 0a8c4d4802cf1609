import { planMarkdown } from './markdown';
import { nodeKeyOf, readyText, readyTimes } from './ready-times';
import { planRequests } from './requests';
import { planText } from './text';
import { UUID } from '../../src/azure/uuid';
import { groupOf } from '../../src/object-id';
import { readyWithLimits } from '../capacity/ready-with-limits';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { withoutTemplates } from '../manifests/inside/inside';
import { laterAsPlaceholders, laterText, laterValuesOf } from '../manifests/later/later-values';
import { valuesOf } from '../manifests/later/value-options';
import { objectSetOf } from '../manifests/object-set';
import { readManifests } from '../manifests/read-manifests';
import { NO_SUBSCRIPTION } from '../manifests/subscriptions';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface PlanOptions extends FileOptions {
  readonly output: 'text' | 'json' | 'markdown';
  readonly subscription?: string;
  /** Compare with what is in Azure. */
  readonly live?: boolean;
  /** With `live`: exit with 1 when there are changes, and with 2 when there are problems. */
  readonly exitCode?: boolean;
  /** With `live`: the objects of the cluster as well. */
  readonly cluster?: boolean;
  /** With `live`: the file that says which cluster; implies `cluster`. */
  readonly kubeconfig?: string;
  /** With `live`: the context in it; implies `cluster`. */
  readonly context?: string;
  /** Of the cluster only this namespace. */
  readonly namespace?: string;
  /** Objects of the cluster that the files no longer have count as removed. */
  readonly prune?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;


/** Prints the requests to Azure for the objects of files. Answers the exit status. */
export function plan(files: readonly string[], options: PlanOptions, terminal: Terminal, environment: Environment): number {
  const onlyLive = onlyWithLive(options);
  if (onlyLive !== undefined) throw new UsageError(`plan: ${onlyLive} is for plan --live`);
  if (files.length === 0) throw new UsageError('plan: give files or directories of manifests');
  const subscription = subscriptionOf(options, environment);
  const { manifests: written, problems, notes } = readManifests(files, 'refuse', valuesOf(options), foldersOf(options));
  printNotes(notes, terminal);
  const later = laterValuesOf(written);
  const manifests = laterAsPlaceholders(written);
  const applied = withoutTemplates(manifests);
  const set = objectSetOf(applied);
  const planned = planRequests(manifests, subscription, { set });
  const all = inFileOrder([...problems, ...planned.problems]);
  for (const line of problemLines(all, options.output === 'json')) terminal.error(line);
  if (later.count > 0) terminal.note(laterText(later));
  const ready = readyTimes(applied, undefined, set);
  if (options.output === 'json') {
    const requests = planned.requests.map(({ manifest: { object, inside }, method, path, armApiVersion, body }) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace: object.metadata.namespace ?? 'default',
      name: object.metadata.name,
      ...(inside && { inside: { ...inside.holder, by: inside.by } }),
      method,
      path,
      armApiVersion,
      body,
      readyAfterSeconds: rounded(ready.readyAfter.get(nodeKeyOf({ ...object.metadata, group: groupOf(object), kind: object.kind }))),
    }));
    terminal.print(JSON.stringify(requests, undefined, 2));
  } else {
    const time = readyText(ready, readyWithLimits(applied, subscription));
    const whole = { ...planned, problems: all };
    terminal.print(options.output === 'markdown' ? planMarkdown(whole, time) : planText(whole, terminal.style, time));
  }
  return all.length > 0 ? 1 : 0;
}

function onlyWithLive({ exitCode, cluster, kubeconfig, context, namespace, prune }: PlanOptions): string | undefined {
  const given: readonly (readonly [unknown, string])[] = [
    [exitCode, '--exit-code'],
    [cluster, '--cluster'],
    [kubeconfig, '--kubeconfig'],
    [context, '--context'],
    [namespace, '--namespace'],
    [prune, '--prune'],
  ];
  return given.find(([value]) => value)?.[1];
}

/** To tenths: medians of recorded traffic are no more exact. */
function rounded(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 10) / 10;
}

/** Of the option, else of the environment. Throws UsageError for a text that is none. */
export function subscriptionOf(options: PlanOptions, environment: Environment): string | undefined {
  const value = options.subscription ?? (environment.AZURE_SUBSCRIPTION_ID || undefined);
  if (value !== undefined && !UUID.test(value)) {
    throw new UsageError(`AZURE_SUBSCRIPTION_ID is not a subscription id: give a UUID, e.g. ${NO_SUBSCRIPTION}`);
  }
  return value;
}

/** Problems as one reads the files: by file, in the order in which the files first have one, then by line. */
export function inFileOrder(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, number>();
  for (const { file } of problems) if (!files.has(file)) files.set(file, files.size);
  return [...problems].sort((a, b) => files.get(a.file)! - files.get(b.file)! || (a.line ?? 0) - (b.line ?? 0));
}
