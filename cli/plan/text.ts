import type { Plan } from './requests';
import { visibleLiteral } from '../../src/azure/visible-text';
import { counted } from '../../src/util/words';
import { describeManifest } from '../manifests/manifests';
import { NO_SUBSCRIPTION } from '../manifests/subscriptions';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/**
 * A plan for people: each request as it would be sent, the object that it comes from, and a summary.
 * @param ready when all is expected to be Ready; empty where nothing is to be
 */
export function planText(plan: Plan, style: Style, ready: string): string {
  const blocks = plan.requests.map(({ manifest, method, path, armApiVersion, body, notes }) =>
    [
      style.dim(`# ${oneLine(describeManifest(manifest))} (${manifest.file}:${manifest.line})`),
      ...notes.map((note) => style.dim(`# ${note}`)),
      `${style.bold(method)} ${printable(path)}?api-version=${armApiVersion}`,
      ...(body === undefined ? [] : [printable(JSON.stringify(body, undefined, 2))]),
    ].join('\n'),
  );
  const skipped = plan.withoutRequest.map(({ manifest, reason }) =>
    style.dim(`# ${oneLine(describeManifest(manifest))} (${manifest.file}:${manifest.line}): ${reason}`),
  );
  const parts = [...blocks, ...skipped, [summary(plan, style), ...(ready === '' ? [] : [printable(ready)])].join('\n')];
  parts.push(...subscriptionNotes(plan).map((note) => style.dim(note)));
  return parts.join('\n\n');
}

/** Notes about the placeholders of unknown subscriptions. */
export function subscriptionNotes({ requests }: Plan): string[] {
  const has = (text: string) => requests.some(({ path }) => path.startsWith(`/subscriptions/${text}`));
  return [
    ...(has(NO_SUBSCRIPTION) ? ['No subscription was given (--subscription or AZURE_SUBSCRIPTION_ID): the ids show zeros in its place.'] : []),
    ...(has('<subscription:')
      ? ['The files do not tell the subscription of some credentials: the ids show <subscription:NAMESPACE.SECRET> in its place.']
      : []),
  ];
}

function summary(plan: Plan, style: Style): string {
  return `${style.bold('Plan:')} ${countsOf(plan, style.bad).join(', ')}.`;
}

/** The numbers of a plan, in words. */
export function countsOf(plan: Plan, bad: (text: string) => string = (text) => text): string[] {
  const writes = plan.requests.filter(({ method }) => method === 'PUT').length;
  const reads = plan.requests.length - writes;
  const counts = [counted(writes, 'resource') + ' to create or update'];
  if (reads > 0) counts.push(`${reads} only read`);
  if (plan.withoutRequest.length > 0) counts.push(`${counted(plan.withoutRequest.length, 'object')} without a request`);
  if (plan.problems.length > 0) counts.push(bad(counted(plan.problems.length, 'problem')));
  return counts;
}

/** In the escapes of JSON, which bodies are. */
function printable(text: string): string {
  return visibleLiteral(text);
}
