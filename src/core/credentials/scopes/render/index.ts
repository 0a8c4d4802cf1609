import { credentialDot } from './dot';
import { credentialMermaid } from './mermaid';
import { credentialTree } from './tree';
import { GraphFormat } from '../../../graph/facts';
import { json } from '../../../graph/render/escape';
import type { Evaluation } from '../evaluate';
import { plainResource } from './plain';

/** The report in a format. */
export function renderCredentials(evaluation: Evaluation, format: GraphFormat): string {
  switch (format) {
    case GraphFormat.TREE: return credentialTree(evaluation);
    case GraphFormat.MERMAID: return credentialMermaid(evaluation);
    case GraphFormat.DOT: return credentialDot(evaluation);
    case GraphFormat.JSON: return json({ ...evaluation, resources: evaluation.resources.map(plainResource) });
    default: throw new Error(`'${String(format)}' is no format of a report. Give one of ${Object.values(GraphFormat).join(', ')}.`);
  }
}
