import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import { EXAMPLES } from './examples';
import { runCommandLine } from '../../../../cli/command-line';
import { describeObject, fieldOf, parseManifests } from '../../../../cli/manifests/manifests';
import { formatProblem } from '../../../../cli/output/problem';
import { counted, workOf } from '../../../setup/work';
import { captured, filesIn } from '../../capture';

const GROUP = '{ apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, metadata: { name: rg }, spec: { location: uksouth } }';
const innerOf = (text: string) => parseManifests(text, 'f.yaml').manifests.filter(({ inside }) => inside !== undefined);
const specs = (text: string) => innerOf(text).map(({ object }) => object.spec);
const problemsOf = (text: string) => parseManifests(text, 'f.yaml').problems.map(formatProblem);
const work = (manifests: string) => `apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: { name: w }\nspec: { workload: { manifests: ${manifests} } }\n`;
const workflow = (text: string, action = 'create') => `apiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: { name: w }\nspec:\n  templates:\n  - name: a\n    resource:\n      action: ${action}\n      manifest: |\n${text.replace(/^(?=.)/gm, '        ')}\n`;
const definition = (resources: string) => `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: w }\nspec:\n  resources:\n${resources}`;

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(args, '0.0.0', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err.join('\n') };
}

const fileOf = (text: string) => join(filesIn({ 'f.yaml': text }), 'f.yaml');

describe('left alone', () => {
  test.each([
    ['other objects', work('[{ apiVersion: v1, kind: Secret, metadata: { name: a } }]')],
    ['a text at the place', work('text')],
    ['numbers and nulls in the list', work('[1, null, [], "a"]')],
    ['an object without a type', work('[{ metadata: { name: a } }]')],
    ['a holder of another group', work(`[${GROUP}]`).replace('work.open-cluster-management.io', 'example.com')],
    ['a reference to what is there', definition('  - { id: a, externalRef: { apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, metadata: { name: rg } } }\n')],
    ['a step that deletes', workflow(GROUP, 'delete')],
    ['an Object that only observes', `apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nmetadata: { name: a }\nspec: { managementPolicies: [Observe], forProvider: { manifest: ${GROUP} } }\n`],
    ['a template that is no YAML', workflow('{{ .all | toYaml }}\nresources.azure.com/v1: ]')],
    ['a ConfigMap', `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { "a.yaml": ${JSON.stringify(GROUP)} }\n`],
  ])('%s', (_, text) => {
    expect(parseManifests(text, 'f.yaml')).toMatchObject({ manifests: [{ line: 1 }], problems: [] });
    expect(innerOf(text)).toEqual([]);
  });

  test('what stands beside an object of Azure is known, and is no problem', () => {
    const text = work(`[${GROUP}, { apiVersion: v1, kind: Secret }, { apiVersion: v1, kind: Secret, metadata: { name: s } }]`);
    expect(innerOf(text).map(({ object }) => describeObject(object))).toEqual(['ResourceGroup rg', 'Secret s']);
    expect(problemsOf(text)).toEqual([]);
  });
});

test('a template that decides is read as far as it is YAML, and its objects are parts', () => {
  const text = workflow('{{- range .groups }}\napiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: {{ .name }} }\nspec:\n  {{- if .new }}\n  location: uksouth\n  {{- end }}\n{{- end }}');
  expect(innerOf(text).map(({ object, isPartial, lineOf }) => [object.metadata.name, isPartial, lineOf(['spec', 'location'])])).toEqual([['{{ .name }}', true, 16]]);
});

describe('what is wrong: one line, and the rest is read', () => {
  test('an object of Azure without a name', () => {
    const text = work(`[{ apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, spec: { location: uksouth } }, ${GROUP}]`);
    expect(innerOf(text)).toHaveLength(1);
    expect(problemsOf(text)).toEqual([
      'f.yaml:4: ResourceGroup in ManifestWork w: spec.workload.manifests[0].metadata.name: is missing; give the object a name',
    ]);
  });

  test('a text that is no YAML', () => {
    expect(problemsOf(workflow('apiVersion: resources.azure.com/v1api20200601\nkind: [\nspec: {}'))).toEqual([
      expect.stringMatching(/^f\.yaml:1[1-3]: spec\.templates\[0\]\.resource\.manifest: is neither YAML nor JSON: /),
    ]);
  });

  test('a key twice in a text, at its line', () => {
    const text = workflow('apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: rg }\nspec:\n  location: a\n  location: b');
    expect(parseManifests(text, 'f.yaml').problems.map(({ line, rule }) => [line, rule])).toEqual([[15, 'duplicate-key']]);
    expect(specs(text)).toEqual([{ location: 'b' }]);
  });

  test('objects in objects in objects have an end', () => {
    let manifest = GROUP;
    for (let depth = 0; depth < 12; depth += 1) {
      manifest = `{ apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: { name: w${depth} }, spec: { workload: { manifests: [${manifest}, ${GROUP}] } } }`;
    }
    expect(innerOf(`${manifest}\n`).filter(({ object }) => object.kind === 'ResourceGroup')).toHaveLength(6);
    expect(problemsOf(`${manifest}\n`)).toEqual([expect.stringContaining('is an object in 6 others, and what is in it is not read')]);
  });

  test('anchors do not multiply texts', () => {
    const line = `${GROUP}\n---\n`;
    const texts = Array.from({ length: 50 }, (_, index) => `  - { name: a${index}, resource: { action: create, manifest: ${index === 0 ? `&t ${JSON.stringify(line.repeat(20))}` : '*t'} } }`);
    const { manifests, problems } = parseManifests(`apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: { name: w }\nspec:\n  templates:\n${texts.join('\n')}\n`, 'f.yaml');
    expect(problems.map(({ message }) => message)).toEqual(['stands for far more text than the file holds']);
    expect(manifests.length).toBeGreaterThan(20);
    expect(manifests.length).toBeLessThan(50 * 20);
  });
});

describe('in proportion to the text', () => {
  const { parseManifests: parse } = counted<typeof import('../../../../cli/manifests/manifests')>('cli/manifests/manifests');
  const objects = (count: number) => work(`[${Array.from({ length: count }, (_, index) => GROUP.replace('name: rg', `name: rg${index}`)).join(',\n')}]`);
  const texts = (count: number) => `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: count }, (_, index) => (
    workflow(GROUP.replace('name: rg', `name: rg${index}`)).trimEnd().replace(/^(?=.)/gm, '  ').replace(/^ {2}/, '- ')
  )).join('\n')}\n`;
  const references = (count: number) => definition(Array.from({ length: count }, (_, index) => (
    `  - { id: g${index}, template: { apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, metadata: { name: "\${g${index + 1}.metadata.name}\${g${index + 1}.metadata.name}" } } }\n`
  )).join(''));

  const composition = (more: string, patched: string) => (
    `apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: { name: c }\nspec:\n  ${more}\n  resources:\n  - { name: a, base: ${GROUP}, patches: [${patched}] }\n`
  );
  const each = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(', ');
  const patches = (count: number) => composition('', each(count, (index) => `{ fromFieldPath: spec.a, toFieldPath: spec.tags.t${index} }, { fromFieldPath: spec.a, toFieldPath: "spec.list[${index}]" }`));
  const sets = (count: number) => composition(
    `patchSets: [{ name: s, patches: [${each(count, (index) => `{ fromFieldPath: spec.a, toFieldPath: spec.tags.t${index} }`)}] }]`,
    each(count, () => '{ type: PatchSet, patchSetName: s }'),
  );

  test.each([
    ['objects', objects], ['texts', texts], ['references of references', references], ['patches of Crossplane', patches], ['sets of patches', sets],
  ])('%s', (_, made) => {
    const [small, large] = [100, 400].map((count) => workOf(() => parse(made(count), 'f.yaml')));
    expect(large! / small!).toBeLessThan(5);
  });

  test('ten thousand objects in one', () => {
    expect(innerOf(objects(10_000))).toHaveLength(10_000);
  });

  test('an object of five megabytes', () => {
    const text = work(`[{ apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, metadata: { name: rg }, spec: { location: "${'x'.repeat(5_000_000)}" } }, ${GROUP}]`);
    expect(innerOf(text)).toHaveLength(2);
  });
});

describe('kro', () => {
  const group = (name: string, spec: string, more = '') => `  - id: ${name}\n${more}    template:\n      apiVersion: resources.azure.com/v1api20200601\n      kind: ResourceGroup\n      metadata: { name: '\${schema.spec.name}-${name}' }\n      spec: ${spec}\n`;

  test('an expression that names a field of another resource has its value', () => {
    expect(specs(definition(group('a', '{ location: uksouth, azureName: "${b.metadata.name}", tags: { team: "${b.spec.tags.team}" } }') + group('b', '{ tags: { team: 3 } }'))))
      .toEqual([{ location: 'uksouth', azureName: '${schema.spec.name}-b', tags: { team: 3 } }, { tags: { team: 3 } }]);
  });

  test('others come later, on one line and without braces', () => {
    const expressions = ['${schema.spec.a}', '${a.status.id}', '"${schema.spec.x}-${schema.spec.y}"', '"${ {\'a\': 1}[schema.spec.k] }"', '|-\n          ${\n            schema.spec.a ||\n            schema.spec.b\n          }', '"${each.spec.location}"'];
    const text = definition(group('a', `\n${expressions.map((written, index) => `        e${index}: ${written}\n`).join('')}`) + group('each', '{ location: uksouth }', '    forEach: [{ x: "${schema.spec.list}" }]\n'));
    expect(specs(text)[0]).toEqual({ e0: '${schema.spec.a}', e1: '${a.status.id}', e2: '${schema.spec.x}-${schema.spec.y}', e3: '${…}', e4: '${schema.spec.a || schema.spec.b}', e5: '${each.spec.location}' });
  });

  test('a cycle of references ends', () => {
    expect(specs(definition(group('a', '{ azureName: "${b.spec.azureName}" }') + group('b', '{ azureName: "${a.spec.azureName}" }'))))
      .toEqual([{ azureName: expect.stringMatching(/^\$\{[ab]\.spec\.azureName\}$/) }, { azureName: expect.stringMatching(/^\$\{[ab]\.spec\.azureName\}$/) }]);
  });

  test('labels as a whole are no error', () => {
    const text = definition(group('a', '{ location: uksouth }').replace('metadata: { name:', 'metadata: { labels: "${schema.metadata.labels}", name:'));
    expect([problemsOf(text), innerOf(text).length]).toEqual([[], 1]);
  });

  test('--set gives an expression its value', async () => {
    const file = fileOf(definition(group('a', '{ location: "${schema.spec.place}", nonsense: 1 }')));
    const { out } = await run('check', '--set', 'schema.spec.place=uksouth', '--set', 'schema.spec.name=shop', file);
    expect(out).toContain('unknown-field ResourceGroup ${schema.metadata.namespace}/shop-a in ResourceGraphDefinition w: spec.resources[0].template.spec.nonsense: ');
  });
});

describe('Crossplane', () => {
  const composition = (patches: string, more = '') => `apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: { name: c }\nspec:\n  ${more}\n  resources:\n  - name: a\n    base: { apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, spec: { location: nowhere, tags: { a: b } } }\n    patches: ${patches}\n`;

  test('a name comes later, and so does what a patch writes', () => {
    const [one] = innerOf(composition('[{ fromFieldPath: spec.region, toFieldPath: spec.location }, { type: CombineFromComposite, toFieldPath: "spec.tags[team.name]" }, { fromFieldPath: spec.azureName }]'));
    expect(one!.object.metadata.name).toBe('<NAME 1>');
    expect(one!.object.spec).toEqual({ location: '${spec.region}', azureName: '${spec.azureName}', tags: { 'a': 'b', 'team.name': '${…}' } });
  });

  test('sets of patches, and patches of the composite itself', () => {
    const [one] = innerOf(composition('[{ type: PatchSet, patchSetName: p }, { type: ToCompositeFieldPath, fromFieldPath: status.id, toFieldPath: status.id }]', 'patchSets: [{ name: p, patches: [{ fromFieldPath: spec.l, toFieldPath: spec.location }] }]'));
    expect(one!.object.spec).toEqual({ location: '${spec.l}', tags: { a: 'b' } });
  });

  test.each(['spec.tags[999999999]', 'spec.list[4]', 'spec.new[4]', 'spec.list[*].a', 'spec.location.a', '[', '', 'spec', 'metadata.labels'])('a path %p changes nothing', (path) => {
    const [one] = innerOf(composition(`[{ fromFieldPath: spec.l, toFieldPath: "${path}" }]`));
    expect(one!.object.spec).toMatchObject({ location: 'nowhere', tags: { a: 'b' } });
  });

  test('what anchors share is patched for one alone, and no prototype', () => {
    const [one] = innerOf(composition('[{ fromFieldPath: spec.l, toFieldPath: spec.one.x }, { fromFieldPath: spec.l, toFieldPath: "spec.one[__proto__].y" }]').replace('tags: { a: b }', 'one: &a { x: 1 }, two: *a'));
    expect(one!.object.spec).toMatchObject({ one: { x: '${spec.l}' }, two: { x: 1 } });
    expect(({} as { y?: unknown }).y).toBeUndefined();
  });
});

describe('by choice', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: addons, namespace: clusters }\ndata:\n  readme: no manifest\n  group.yaml: |\n    apiVersion: resources.azure.com/v1api20200601\n    kind: ResourceGroup\n    metadata: { name: rg }\n    spec: { location: uksouth, nonsense: 1 }\n';

  test('texts of a ConfigMap', async () => {
    const file = fileOf(text);
    expect((await run('check', file)).out).toBe('Check: 1 object, nothing to say.');
    expect((await run('check', '--inside', 'ConfigMap', file)).out.replaceAll(file, 'f.yaml')).toContain(
      'f.yaml:10: error unknown-field ResourceGroup default/rg in ConfigMap clusters/addons: data.group.yaml.spec.nonsense: ',
    );
  });

  test('a kind that holds no texts of objects is a wrong command line', async () => {
    expect((await run('plan', '--inside', 'Secret', fileOf(text))).status).toBe(2);
  });
});

test('a field of an inner object has its place in the file', () => {
  const [one] = innerOf(work(`[{ apiVersion: v1, kind: List, items: [${GROUP}] }]`));
  expect(fieldOf(one!, "metadata.annotations['a.b/c']")).toBe("spec.workload.manifests[0].items[0].metadata.annotations['a.b/c']");
});

describe('whatever stands at a place', () => {
  const values = EXAMPLES.map(({ text }) => parseYaml(text) as unknown);

  /** A copy with another value at one of its places. */
  function changed(value: unknown, choose: (count: number) => number, other: unknown): unknown {
    if (typeof value !== 'object' || value === null || choose(6) === 0) return other;
    const keys = Object.keys(value);
    if (keys.length === 0) return other;
    const key = keys[choose(keys.length)]!;
    const inner = changed((value as Record<string, unknown>)[key], choose, other);
    if (!Array.isArray(value)) return { ...value, [key]: inner };
    return value.map((item: unknown, index) => (String(index) === key ? inner : item));
  }

  test('no error but lines, and every field has a line', () => {
    const choices = fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 });
    fc.assert(fc.property(fc.nat(values.length - 1), choices, fc.jsonValue({ maxDepth: 3 }), (index, numbers, other) => {
      let next = 0;
      const choose = (count: number) => numbers[next++ % numbers.length]! % count;
      const { manifests, problems } = parseManifests(JSON.stringify(changed(values[index], choose, other)), 'f.yaml');
      for (const problem of problems) expect(formatProblem(problem)).toMatch(/^f\.yaml(:\d+)?: /);
      for (const manifest of manifests) {
        expect(manifest.lineOf(['spec', 'location'])).toBeGreaterThan(0);
        expect(fieldOf(manifest, 'spec.location')).toMatch(/location$/);
      }
    }), { numRuns: 1000, seed: 7 });
  });
});
