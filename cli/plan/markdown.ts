import type { Plan, PlannedRequest } from './requests';
import { countsOf, subscriptionNotes } from './text';
import { visibleLiteral } from '../../src/azure/visible-text';
import { describeManifest, type Manifest } from '../manifests/manifests';
import { problemLines } from '../output/few-of-each';
import { codeBlock, codeSpan, escapedMarkdown } from '../output/markdown';

/** A plan as Markdown, for a comment on a pull request: problems, a line for each request, and its body folded. */
export function planMarkdown(plan: Plan, ready: string): string {
  const { requests, withoutRequest, problems } = plan;
  return [
    `**Plan: ${countsOf(plan).join(', ')}.**`,
    ...(ready === '' ? [] : [escapedMarkdown(ready)]),
    ...section('Problems', problemLines(problems).map((line) => `- ${escapedMarkdown(line)}`)),
    ...section('Requests', requests.map(requestText)),
    ...section('Objects without a request', withoutRequest.map(({ manifest, reason }) => `- ${title(manifest)}: ${escapedMarkdown(reason)}`)),
    ...subscriptionNotes(plan).map(escapedMarkdown),
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

function title(manifest: Manifest): string {
  return `${codeSpan(describeManifest(manifest))} (${escapedMarkdown(`${manifest.file}:${manifest.line}`)})`;
}
