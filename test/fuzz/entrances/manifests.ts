import { expressionRule } from '../../../cli/check/expression-rule';
import { convertSources, singleFile } from '../../../cli/convert/convert';
import { readText, type Sources } from '../../../cli/convert/read';
import { missingKinds } from '../../../cli/crds/missing-kinds';
import { selectCrds } from '../../../cli/crds/select';
import { compare } from '../../../cli/diff/compare';
import { diffMarkdown } from '../../../cli/diff/markdown';
import { reportOf } from '../../../cli/diff/report';
import { graphOfManifests } from '../../../cli/graph/manifest-graph';
import { parseManifests, type Manifest } from '../../../cli/manifests/manifests';
import { planRequests } from '../../../cli/plan/requests';
import { Catalog } from '../../../src/catalog';
import { GraphFormat } from '../../../src/core/graph/facts';
import { render } from '../../../src/core/graph/render';
import { runRules } from '../../../src/core/rules/run-rules';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutateText } from '../mutate';
import { mutatedObjects } from './objects';

const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';

/** Manifests as a file has them: JSON, which is YAML, sometimes damaged as text. */
function fileOf(random: Random): string {
  const text = mutatedObjects(random).map((object) => JSON.stringify(object) ?? 'null').join('\n---\n');
  return random.chance(0.15) ? mutateText(text, random) : text;
}

function manifestsIn(text: unknown): Manifest[] {
  return parseManifests(text as string, 'file.yaml').manifests;
}

const entrance = (name: string, enter: (input: unknown) => unknown): Entrance => ({ name, make: fileOf, enter });

export const manifestEntrances: readonly Entrance[] = [
  entrance('check', (text) => {
    const manifests = manifestsIn(text);
    return runRules(manifests.map(({ object }) => object), { defaultNamespace: 'default', more: [expressionRule()] });
  }),
  entrance('plan', (text) => planRequests(manifestsIn(text), SUBSCRIPTION)),
  entrance('convert', (text) => {
    const sources: Sources = { files: [], objects: [], unreadable: [], problems: [], notes: [] };
    readText(text as string, 'file.yaml', sources);
    return singleFile(convertSources(sources, Catalog.default(), { hasParameters: true }).charts, sources);
  }),
  entrance('crds', (text) => {
    const manifests = manifestsIn(text);
    const { crds } = selectCrds(manifests, [], ({ facts }) => [facts.latest], Catalog.default());
    return missingKinds(manifests, crds.map(({ kind }) => kind), Catalog.default());
  }),
  entrance('graph', (text) => {
    const { graph } = graphOfManifests(manifestsIn(text));
    return Object.values(GraphFormat).map((format) => render(graph, format));
  }),
  {
    name: 'diff',
    make: (random) => [fileOf(random), fileOf(random)],
    enter: (input) => {
      const [before, after] = (input as [string, string]).map((text) => manifestsIn(text).map(({ object }) => object));
      return diffMarkdown(reportOf(compare(before!, after!, { subscriptionId: SUBSCRIPTION }), true));
    },
  },
];
