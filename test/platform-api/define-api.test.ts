import * as z from 'zod';
import { defineApi, isApiDefinition, olderVersion, type ApiDefinitionProps } from '../../src/platform-api';

const props: ApiDefinitionProps<{ size: number }> = {
  group: 'platform.example.com',
  kind: 'Box',
  version: 'v1',
  schema: z.object({ size: z.int() }),
  composes: [{ group: '', kind: 'ConfigMap' }],
  compose: () => undefined,
};
const refusal = (more: object): string[] => {
  try {
    defineApi({ ...props, ...more });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n  ');
  }
};

test('a definition has its defaults, is known, and cannot be changed', () => {
  const definition = defineApi(props);
  expect(definition).toMatchObject({ plural: 'boxes', namespaced: true, olderVersions: [], reads: [], limits: { objects: 200, seconds: 10, memoryMb: 256 } });
  expect([isApiDefinition(definition), isApiDefinition({ ...props }), isApiDefinition(null)]).toEqual([true, false, false]);
  expect(Object.isFrozen(definition)).toBe(true);
});

test.each([['Box', 'boxes'], ['Policy', 'policies'], ['Gateway', 'gateways'], ['Bus', 'buses'], ['Team', 'teams']])('the plural of %s is %s', (kind, plural) => {
  expect(defineApi({ ...props, kind }).plural).toBe(plural);
});

test('the type of the spec is that of the schema', () => {
  defineApi({
    ...props,
    schema: z.object({ size: z.int().default(1), tier: z.enum(['a', 'b']) }),
    olderVersions: [olderVersion({
      version: 'v1alpha1',
      schema: z.object({ width: z.int() }),
      upgrade: ({ width }): { size: number; tier: 'a' | 'b' } => ({ size: width, tier: 'a' }),
      downgrade: ({ size }) => ({ width: size }),
    })],
    compose: (_, { spec }) => ({ outputs: { size: spec.size satisfies number, tier: spec.tier satisfies 'a' | 'b' } }),
  });
});

test.each<[string, object, string]>([
  ['a group without a domain', { group: 'platform' }, "group: 'platform' is no domain. Write one of your own, e.g. platform.example.com."],
  ["a group of Kubernetes'", { group: 'apps.k8s.io' }, "group: 'apps.k8s.io' is not yours. Write a domain of your own, e.g. platform.example.com."],
  ["a group of Azure's", { group: 'storage.azure.com' }, "group: 'storage.azure.com' is not yours. Write a domain of your own, e.g. platform.example.com."],
  ['a kind in lower case', { kind: 'box' }, "kind: 'box' is no kind. Write letters and digits, an upper-case letter first, 63 characters at most."],
  ['a version of another form', { version: '1.0' }, "version: '1.0' is no version. Write v1, v1beta1 or v1alpha1."],
  ['a plural with a point', { plural: 'b.c' }, "'b.c' is no name of a resource. Write lower-case letters, digits and '-', a letter first."],
  ['no kinds', { composes: undefined }, "composes: required. Name the kinds that compose creates: [{ group: 'storage.azure.com', kind: 'StorageAccount' }]."],
  ['all kinds', { composes: [{ group: '*', kind: '*' }] }, "composes[0]: '*/*' is no group and kind. Write them out: { group: 'storage.azure.com', kind: 'StorageAccount' }."],
  ['a wrong plural of a kind', { composes: [{ group: 'a.b', kind: 'C', plural: 'C*' }] }, "composes[0]: 'C*' is no plural. Write lower-case letters, digits and '-', a letter first."],
  ['a kind to read without a group and kind', { reads: [{ group: 'a.b', kind: '*' }] }, "reads[0]: 'a.b/*' is no group and kind. Write them out: { group: 'storage.azure.com', kind: 'StorageAccount' }."],
  ['reading Secrets', { reads: [{ group: '', kind: 'Secret' }] }, 'reads: Secrets cannot be read: what compose gives is seen by everybody who may read the claim or its objects. Let the objects refer to the Secret.'],
  ['itself', { composes: [{ group: 'platform.example.com', kind: 'Box' }] }, "composes: 'Box' is the kind itself. A claim may compose claims of other kinds only."],
  ['claims that hold up the deletion of a namespaced one', { heldBy: [{ group: 'platform.example.com', kind: 'Part' }] }, 'heldBy: only for a cluster-scoped kind. Write namespaced: false, or leave it out.'],
  ['too high a limit', { limits: { seconds: 61 } }, 'limits.seconds: 61 is not between 0.1 and 60.'],
  ['no schema', { schema: {} }, 'schema: gives no JSON Schema. Give a schema of a library that implements Standard JSON Schema, e.g. of Zod 4.2 or newer.'],
])('%s is refused', (_, more, problem) => expect(refusal(more).slice(1)).toEqual([problem]));

test('a kind may compose nothing, and read others', () => {
  const { composes, reads } = defineApi({
    ...props,
    composes: [],
    reads: [{ group: 'platform.example.com', kind: 'Box' }],
    compose: (_, claim) => {
      const box = claim.read<{ size: number }, { width?: number }>({ group: 'platform.example.com', kind: 'Box', name: 'other' });
      return { outputs: { size: (box?.spec?.size ?? 0) satisfies number, width: (box?.status?.width ?? 0) satisfies number } };
    },
  });
  expect([composes, reads]).toEqual([[], [{ group: 'platform.example.com', kind: 'Box' }]]);
});

test('all problems are in one error', () => {
  expect(refusal({ group: 'x', version: '1', limits: { objects: 0, memoryMb: 1 } })).toHaveLength(5);
});
