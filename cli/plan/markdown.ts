import type { Plan, PlannedRequest } from './requests';
import { countsOf } from './text';
import { visibleLiteral } from '../../src/azure/visible-text';
import { describeObject, type Manifest } from '../manifests/manifests';
import { codeBlock, codeSpan, escapedMarkdown } from '../output/markdown';
import { formatProblem } from '../output/problem';

/** A plan as Markdown, for a comment on a pull request: problems, a line for each request, and its body folded. */
export function planMarkdown(plan: Plan, withoutSubscription: boolean, ready: string): string {
  const { requests, withoutRequest, problems } = plan;
  const zeros = 'No subscription was given: the ids show zeros in its place.';
  return [
    `**Plan: ${countsOf(plan).join(', ')}.**`,
    ...(ready === '' ? [] : [escapedMarkdown(ready)]),
    ...section('Problems', problems.map((problem) => `- ${escapedMarkdown(formatProblem(problem))}`)),
    ...section('Requests', requests.map(requestText)),
    ...section('Objects without a request', withoutRequest.map(({ manifest, reason }) => `- ${title(manifest)}: ${escapedMarkdown(reason)}`)),
    ...(withoutSubscription && requests.length > 0 ? [zeros] : []),
  ].join('\n\n');
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${name} (${lines.length})\n\n${lines.join('\n')}`];
}

function requestText({ manifest, method, path, armApiVersion, body, notes }: PlannedRequest): string {
  const head = `- ${title(manifest)}: ${codeSpan(`${method} ${visibleLiteral(path)}?api-version=${armApiVersion}`)}`;
  const about = notes.map((note) => `  - ${escapedMarkdown(note)}`);
  if (body === undefined) return [head, ...about].join('\n');
  const text = codeBlock('json', visibleLiteral(JSON.stringify(body, undefined, 2)));
  return [head, ...about, '', `  <details><summary>Body</summary>\n\n${text.replace(/^/gm, '  ')}\n\n  </details>\n`].join('\n');
}

function title({ object, file, line }: Manifest): string {
  return `${codeSpan(describeObject(object))} (${escapedMarkdown(`${file}:${line}`)})`;
}
