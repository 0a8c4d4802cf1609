import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { group, treeOf } from './tree-of';
import { templateAsYaml } from '../../../../cli/manifests/folders/templates';
import { parseManifests } from '../../../../cli/manifests/manifests';
import { readManifests } from '../../../../cli/manifests/read-manifests';
import { formatProblem, type Problem } from '../../../../cli/output/problem';
import { counted, growth } from '../../../setup/work';

const lines = (problems: readonly Problem[] | undefined, root: string) => (problems ?? []).map((one) => formatProblem(one).replaceAll(`${root}/`, ''));

const TEMPLATE = `{{- /* a
comment */ -}}
{{- if .Values.group }}
apiVersion: resources.azure.com/{{ .Values.version }}
kind: ResourceGroup
metadata:
  name: {{ .Values.rg }}
  namespace: {{ .Release.Namespace | quote }} # why
  labels:
    {{- include "x.labels" . | nindent 4 }}
  annotations:
    {{ .k }}: v
    '{{ .l }}': w
spec:
  location: "{{ .Values.location | default "uksouth" }}"
  operatorSpec: {a: {{ .x }}, b: ["{{ .y }}", {{ .z }}-1]}
  list:
  - {{ .a }}
  - name: {{ printf "%s: %s" .a .b }}
  tags: {{- toYaml .Values.tags | nindent 4 }}
  script: |
    {{ if }}
    a: {{ .b }}
  {{- if .Values.z }}
  z: 1
  {{- else }}
  z: 2
  {{- end }}
  {{- with .Values.q }}
  q:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
`;

test('a file is read that is YAML once envsubst has filled its variables in', () => {
  const text = `apiVersion: network.azure.com/v1api20240301
kind: VirtualNetwork
metadata:
  name: vnet
  labels: {team: \${TEAM}, "quoted [\${A}]": 'b, \${B} ]'}
spec:
  owner: { name: rg-\${ENV} }
  location: \${LOCATION}
  addressSpace: { addressPrefixes: [\${CIDR}, 10.1.0.0/16] }
\${TAGS_OFF}  tags:
\${TAGS_OFF}    a: b
---
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: { name: rg }
spec: { location: uksouth, loction: x }
`;
  const { manifests, problems } = parseManifests(text, 'a.yaml');
  expect(problems).toEqual([]);
  expect(manifests.map(({ object, line, isPartial }) => [object.metadata.name, line, isPartial])).toEqual([['vnet', 1, true], ['rg', 13, undefined]]);
  expect(manifests[0]!.object.spec).toEqual({
    owner: { name: 'rg-${ENV}' }, location: '${LOCATION}', addressSpace: { addressPrefixes: ['${CIDR}', '10.1.0.0/16'] },
  });
  expect(manifests[0]!.lineOf(['spec', 'addressSpace'])).toBe(9);
});

test('a file with variables that is no YAML with them either keeps its own problem', () => {
  const { problems } = parseManifests('a: [${X}]\nb: [\n', 'a.yaml');
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('is neither YAML nor JSON')]);
});

test('a template is read as far as it is YAML, at its lines', () => {
  const { manifests, problems } = parseManifests(TEMPLATE, 'a.yaml');
  expect(problems).toEqual([]);
  expect(manifests.map(({ object, line, lineOf, isPartial }) => ({ object, line, tags: lineOf(['spec', 'tags']), isPartial }))).toEqual([{
    object: {
      apiVersion: 'resources.azure.com/{{ .Values.version }}',
      kind: 'ResourceGroup',
      metadata: { name: '{{ .Values.rg }}', namespace: '{{ .Release.Namespace | quote }}', annotations: { '{{ .k }}': 'v', '{{ .l }}': 'w' } },
      spec: {
        location: '{{ .Values.location | default "uksouth" }}',
        operatorSpec: { a: '{{ .x }}', b: ['{{ .y }}', '{{ .z }}-1'] },
        list: ['{{ .a }}', { name: '{{ printf "%s: %s" .a .b }}' }],
        tags: '{{- toYaml .Values.tags | nindent 4 }}',
        script: '{{ if }}\na: {{ .b }}\n',
        z: 2,
        q: '{{- toYaml . | nindent 4 }}',
      },
    },
    line: 4,
    tags: 20,
    isPartial: true,
  }]);
});

test('an object that is decided over as a whole is a whole', () => {
  const { manifests } = parseManifests(`{{- if .Values.x }}\n${group('{{ .n }}')}{{- end }}\n`, 'a.yaml');
  expect(manifests.map(({ isPartial }) => isPartial)).toEqual([undefined]);
});

test.each([
  ['half an action', 'a: {{ .Values.x\nb: 1\n'],
  ['an end alone', '{{- end }}\na: [\n'],
  ['a list that an action opens', `${group('a')}  tags: [{{ .x }}\n`],
])('half a template: one line', (_, text) => {
  expect(parseManifests(text, 'a.yaml').problems.map(formatProblem)).toEqual([
    expect.stringMatching(/^a\.yaml:\d+: (?:is a template, and no YAML|is neither YAML nor JSON)/),
  ]);
});

test('text that has braces and is YAML stays as it is', () => {
  const { manifests } = parseManifests(`${group('a')}  tags: {a: "{{ .x }}"}\n  "k{{": "}}"\n`, 'a.yaml');
  expect(manifests[0]?.object.spec).toEqual({ 'location': 'uksouth', 'tags': { a: '{{ .x }}' }, 'k{{': '}}' });
});

test('whatever a text is, a template keeps its lines', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('{{', '}}', '{', '}', ' ', '  ', '\n', ':', '- ', 'a', '"', "'", '#', '|', '[', ']', ',', '/*', '*/', '\0')), (parts) => {
    const text = parts.join('');
    expect(templateAsYaml(text).text.split('\n')).toHaveLength(text.split('\n').length);
  }));
});

test('braces take work in proportion to the text', () => {
  const text = `a: ${'{{'.repeat(100_000)}\n${'{'.repeat(100_000)}}}\nb: ${'{{ x }} '.repeat(20_000)}`;
  expect(templateAsYaml(text).text.length).toBeLessThan(2 * text.length);
});

test.each([
  ['below a key', (count: number) => `a:\n${'{{ include "x" . }}\n'.repeat(count)}`],
  ['below comments', (count: number) => `a: 1\n${'{{ include "x" . }}\n# b\n'.repeat(count)}`],
])('lines of actions alone take work in proportion to their number: %s', (_, made) => {
  const { templateAsYaml: read } = counted<typeof import('../../../../cli/manifests/folders/templates')>('cli/manifests/folders/templates');
  expect(growth(1000, (count) => read(made(count)))).toBeLessThan(5);
});

describe('a chart', () => {
  const CHART = {
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'values.yaml': 'rg: a\n',
    'values.schema.json': '{}',
    'crds/crd.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n',
    'templates/_helpers.yaml': '{{- define "x" }}',
    'templates/a.yaml': `{{- if .Values.x }}\n${group('{{ .Values.rg }}')}{{- end }}\n`,
    'templates/below/b.yaml': group('{{ .Release.Name }}-b'),
    'templates/included.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  {{- include "x" . | nindent 2 }}\ndata: {}\n',
    'templates/half.yaml': 'apiVersion: v1\nkind: {{ .x }}\nmetadata: [\n',
    'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
    'charts/sub/templates/c.yaml': group('{{ .Values.c }}'),
  };

  test('without helm its templates are read', () => {
    const root = treeOf(CHART);
    const { manifests, problems, notes } = readManifests([root], 'keep', undefined, { tools: {} });
    expect(problems).toEqual([]);
    expect(manifests.map(({ object, file }) => [object.metadata.name, file.slice(root.length + 1)])).toEqual([
      ['x', 'crds/crd.yaml'], ['{{ .Values.rg }}', 'templates/a.yaml'], ['{{ .Release.Name }}-b', 'templates/below/b.yaml'],
      ['{{ .Values.c }}', 'charts/sub/templates/c.yaml'],
    ]);
    expect(lines(notes, root)).toEqual([
      `Chart.yaml: is not rendered: there is no helm on the PATH; its templates are read as far as they are YAML; helm template ${root} renders it`,
      expect.stringMatching(/^templates\/half\.yaml:\d: is a template, and no YAML before it is rendered/),
      expect.stringMatching(/^templates\/included\.yaml:1: ConfigMap: metadata\.name: is missing/),
    ]);
  });

  const helm = (script: string) => {
    const file = join(treeOf({ helm: `#!/bin/sh\n${script}\n` }), 'helm');
    chmodSync(file, 0o755);
    return { tools: { helm: { name: 'helm template', file, args: ['template'] } } };
  };

  test('with helm it is what helm prints, at its templates', () => {
    const root = treeOf(CHART);
    const rendered = `---\n# Source: shop/templates/a.yaml\n${group('real')}---\n# Source: shop/charts/sub/templates/c.yaml\n${group('c')}---\n# Source: shop/templates/made.yaml\n${group('d')}`;
    const folders = helm(`cat <<'E'\n${rendered}E`);
    const { manifests, problems, notes } = readManifests([root], 'keep', undefined, folders);
    expect([problems, notes]).toEqual([[], []]);
    expect(manifests.map(({ object, file, line, lineOf }) => [object.metadata.name, file.slice(root.length + 1), line, lineOf(['spec', 'location'])])).toEqual([
      ['real', 'templates/a.yaml', 2, 7], ['c', 'charts/sub/templates/c.yaml', 1, 6], ['d', 'templates/made.yaml', 1, 1],
    ]);
  });

  test('files of values are given to helm', () => {
    const root = treeOf({ ...CHART, 'prod.yaml': 'a: b\n' });
    const folders = { ...helm('echo "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {args: \\"$*\\"}"'), values: [join(root, 'prod.yaml')] };
    const [manifest] = readManifests([root], 'keep', undefined, folders).manifests;
    expect(manifest?.object.data).toEqual({ args: `template release-name ${root} --include-crds --values ${root}/prod.yaml` });
  });

  test('values that are required and missing are no mistake of the chart', () => {
    const root = treeOf(CHART);
    const { manifests, problems, notes } = readManifests([root], 'keep', undefined, helm('echo "Error: execution error at (shop/templates/a.yaml:1:2): rg is required" >&2; exit 1'));
    expect([problems, manifests.length]).toEqual([[], 4]);
    expect(lines(notes, root)[0]).toBe('Chart.yaml: is not rendered: helm template: execution error at (shop/templates/a.yaml:1:2): rg is required; its templates are read as far as they are YAML; --values FILE gives a chart its values');
  });

  test('files that end in tpl are templates, those that begin with an underscore only define, and tests are no part', () => {
    const root = treeOf({
      'Chart.yaml': CHART['Chart.yaml'],
      'crds/c.tpl': group('c'),
      'templates/a.tpl': group('a'),
      'templates/_b.tpl': group('b'),
      'templates/tests/d.yaml': group('d'),
    });
    expect(readManifests([root], 'keep', undefined, { tools: {} }).manifests.map(({ object }) => object.metadata.name)).toEqual(['a']);
  });

  test('a library is not rendered, by itself or in another chart', () => {
    const library = { 'Chart.yaml': `${CHART['Chart.yaml']}type: library\n`, 'templates/a.yaml': group('a') };
    const below = Object.fromEntries(Object.entries(library).map(([name, text]) => [`charts/x/${name}`, text]));
    const [root, other] = [treeOf(library), treeOf({ 'Chart.yaml': CHART['Chart.yaml'], 'templates/b.yaml': group('b'), ...below })];
    const read = readManifests([root, other], 'keep', undefined, { tools: {} });
    expect(read.manifests.map(({ object }) => object.metadata.name)).toEqual(['b']);
    expect(lines(read.notes, root)[0]).toBe('Chart.yaml: is a library chart: helm renders it in other charts alone; give a chart that depends on it');
  });

  test('a chart without templates is an error', () => {
    const root = treeOf({ 'Chart.yaml': CHART['Chart.yaml'] });
    expect(readManifests([root], 'keep', undefined, { tools: {} }).problems).toHaveLength(1);
  });
});
