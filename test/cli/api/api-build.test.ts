import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommandLine } from '../../../cli/command-line';
import { headerOf, revisionOf } from '../../../composer/bundle/bundle-header';
import { captured, filesIn } from '../capture';

const bucket = join(__dirname, '..', '..', '..', 'examples', 'platform-api', 'bucket.ts');
const definition = (name: string) => join(__dirname, 'definitions', `${name}.ts`);

async function apiBuild(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['api', 'build', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const objectsOf = (yaml: string) =>
  parseAllDocuments(yaml).map((document) => document.toJS() as { readonly kind: string; readonly metadata: { readonly name: string } });

test('CRDs and rights are printed', async () => {
  const { status, out, err } = await apiBuild(bucket);
  expect([status, err]).toEqual([0, []]);
  expect(objectsOf(out).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'CustomResourceDefinition buckets.platform.freight.example.com',
    'ServiceAccount composer',
    'ClusterRole composer.cdk8s-aso-composer',
    'ClusterRoleBinding composer.cdk8s-aso-composer',
    'Role composer',
    'RoleBinding composer',
  ]);
  expect(out).toMatchSnapshot();
});

test('files are written', async () => {
  const out = join(filesIn({}), 'dist');
  const result = await apiBuild(bucket, '--out', out, '--name', 'buckets', '-n', 'storage');
  expect(result.status).toBe(0);
  const code = readFileSync(join(out, 'bundle.js'), 'utf8');
  expect(headerOf(code).format).toBe(1);
  expect(code.length).toBeLessThan(1_000_000);
  expect(result.out.replaceAll(out, 'dist')).toMatch(new RegExp([
    '^Bucket \\(buckets\\.platform\\.freight\\.example\\.com/v1\\): composes 3 kinds, at most 30 objects',
    'dist/bundle.js', 'dist/bundle.js.map', 'dist/crds.yaml', 'dist/rights.yaml',
    `revision ${revisionOf(code)}, \\d+ KiB, cdk8s-aso .+$`,
  ].join('\n')));
  // The owner that `api install` names, so that one never finds the CRDs of the other without it.
  expect(readFileSync(join(out, 'crds.yaml'), 'utf8')).toContain('aso.cdk8s.io/definition: storage/buckets\n');
  expect(readFileSync(join(out, 'rights.yaml'), 'utf8')).toContain('name: buckets\n  namespace: storage\n');
});

test('the JSON output has facts and problems', async () => {
  const { status, out } = await apiBuild(definition('wrong'), '-o', 'json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    bundle: { revision: expect.stringMatching(/^[0-9a-f]{16}$/), sizeBytes: expect.any(Number) },
    kinds: [{ group: 'platform.example.com', kind: 'Wrong', plural: 'wrongs', version: 'v1' }],
    files: [],
    advice: expect.arrayContaining([
      expect.stringContaining('Wrong v1: spec.names: the list has no maximum'),
      expect.stringContaining('composes RoleBinding objects: name in its rights the rules'),
    ]),
    problems: [
      expect.stringContaining('Wrong v1: spec.either: a value of the types string or boolean cannot be expressed'),
      "composes: the plural of Certificate in group 'cert-manager.io' is not known: give it, e.g. { group: 'cert-manager.io', kind: 'Certificate', plural: '…' }",
    ],
  });
});

test('nothing is written where there are problems', async () => {
  const out = join(filesIn({}), 'dist');
  const { status, err } = await apiBuild(definition('wrong'), '--out', out);
  expect(status).toBe(1);
  expect(err.at(-1)).toMatch(/the plural of Certificate/);
  expect(existsSync(out)).toBe(false);
});

test('a kind with older versions has a webhook, and the rights for its certificate', async () => {
  const { status, out } = await apiBuild(definition('box'), '--name', 'boxes', '-n', 'platform');
  expect(status).toBe(0);
  const objects = objectsOf(out) as unknown as { readonly kind: string; readonly spec?: object; readonly rules?: readonly object[] }[];
  const of = (kind: string) => objects.find((one) => one.kind === kind)!;
  expect(of('CustomResourceDefinition').spec).toMatchObject({
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { service: { namespace: 'platform', name: 'boxes-webhooks', path: '/convert', port: 443 } } } },
  });
  expect(of('ClusterRole').rules).toContainEqual(
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['patch'], resourceNames: ['boxes.platform.example.com'] });
  expect(of('Role').rules).toEqual(expect.arrayContaining([
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'update'], resourceNames: ['boxes-webhook-certificate'] },
  ]));
});

test('a wrong name is a wrong command line', async () => {
  expect(await apiBuild(bucket, '--name', 'Not A Name')).toMatchObject({ status: 2 });
  expect((await apiBuild()).status).toBe(2);
});
