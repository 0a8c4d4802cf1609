import { EXAMPLES } from './examples';
import { HOLDERS } from '../../../../cli/manifests/inside/holders';
import { describeObject, fieldOf, parseManifests } from '../../../../cli/manifests/manifests';

test.each(EXAMPLES.map((example) => [`${example.kind}: ${example.field}`, example] as const))('%s', (_, example) => {
  const { text, kind, object, field, isTemplate } = example;
  const { manifests, problems } = parseManifests(text, 'f.yaml');
  expect(problems).toEqual([]);
  const [outer, ...inner] = manifests;
  expect([outer!.object.kind, outer!.inside]).toEqual([kind, undefined]);
  const found = inner.filter((one) => one.object.kind === 'ResourceGroup');
  expect(found.map((one) => describeObject(one.object))).toEqual([object]);
  const [one] = found;
  expect(one!.inside).toMatchObject({ holder: { kind, name: 'it' }, isTemplate });
  expect(fieldOf(one!, 'spec.location')).toBe(field);
  expect(text.split('\n')[one!.lineOf(['spec', 'location']) - 1]).toContain('HERE');
});

test('each place of each holder has an example', () => {
  const isExample = (group: string, kind: string) => EXAMPLES.some((example) => (
    example.kind === kind && example.text.startsWith(`apiVersion: ${group === '' ? 'v1' : `${group}/`}`)
  ));
  for (const { group, kinds } of HOLDERS) expect(kinds.filter((kind) => !isExample(group, kind))).toEqual([]);
});

test('each row says where its place is documented', () => {
  for (const { evidence } of HOLDERS) expect(evidence).toMatch(/^https:\/\/[\w.-]+\/./);
});
