import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphOfManifests } from '../../../cli/graph/manifest-graph';
import { parseManifests } from '../../../cli/manifests/manifests';
import type { OwnerGraphOptions } from '../../../src/core/graph/facts';
import type { Graph } from '../../../src/core/graph/graph';

/** The graph of YAML. */
export function graphOf(yaml: string, options?: OwnerGraphOptions): Graph {
  const { manifests, problems } = parseManifests(yaml, 'test.yaml');
  expect(problems).toEqual([]);
  return graphOfManifests(manifests, options).graph;
}

/** A file beside the tests. */
export function fixture(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}
