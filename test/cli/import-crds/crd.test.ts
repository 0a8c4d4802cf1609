import { readCrd } from '../../../cli/import-crds/crd';
import type { Manifest } from '../../../cli/manifests/manifests';

const VERSION = { name: 'v1api20240101', served: true, schema: { openAPIV3Schema: { type: 'object', properties: {} } } };
const SPEC = { group: 'widgets.azure.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [VERSION] };

interface Changes {
  readonly object?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

function read({ object, spec }: Changes, all = false) {
  const manifest = {
    file: 'crds.yaml',
    line: 7,
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.widgets.azure.com' },
      spec: { ...SPEC, ...spec },
      ...object,
    },
  };
  return readCrd(manifest as unknown as Manifest, all);
}

test('a CRD of the operator is read without the versions that users cannot write', () => {
  const versions = [VERSION, { ...VERSION, name: 'v1api20240101storage' }, { ...VERSION, name: 'v1api20230101', served: false }];
  expect(read({ spec: { versions } })).toMatchObject({
    crd: { group: 'widgets.azure.com', kind: 'Widget', names: SPEC.names, versions: [VERSION] },
  });
});

const PROBLEMS: readonly [what: string, changes: Changes, field: string | undefined, message: RegExp][] = [
  ['another kind', { object: { kind: 'ConfigMap' } }, undefined, /is no CustomResourceDefinition/],
  ['an old API version', { object: { apiVersion: 'apiextensions.k8s.io/v1beta1' } }, 'apiVersion', /v1beta1 is not read/],
  ['no spec', { object: { spec: undefined } }, 'spec.group', /is not the name of an API group/],
  ['a group that is no DNS name', { spec: { group: 'Widgets' } }, 'spec.group', /is not the name of an API group/],
  ['no names', { spec: { names: null } }, 'spec.names', /has no kind and plural/],
  ['no plural', { spec: { names: { kind: 'Widget' } } }, 'spec.names', /has no kind and plural/],
  ['a singular that is no text', { spec: { names: { ...SPEC.names, singular: 1 } } }, 'spec.names.singular', /is not a text/],
  ['short names that are no list', { spec: { names: { ...SPEC.names, shortNames: 'w' } } }, 'spec.names.shortNames', /a list of texts/],
  ['no versions', { spec: { versions: [] } }, 'spec.versions', /is no list of versions with names/],
  ['a version without a name', { spec: { versions: [{ served: true }] } }, 'spec.versions', /is no list of versions with names/],
];

test.each(PROBLEMS)('a CRD with a defect is a problem at its field: %s', (_, changes, field, message) => {
  const { kind } = { kind: 'CustomResourceDefinition', ...changes.object } as { kind: string };
  expect(read(changes)).toEqual({
    problem: {
      file: 'crds.yaml',
      line: 7,
      object: `${kind} widgets.widgets.azure.com`,
      field,
      message: expect.stringMatching(message) as string,
      fix: expect.any(String) as string,
    },
  });
});

const SKIPPED: readonly [what: string, changes: Changes, field: string | undefined, message: RegExp][] = [
  ['another group', { spec: { group: 'widgets.example.com' } }, undefined, /belongs to widgets\.example\.com/],
  ['objects without a namespace', { spec: { scope: 'Cluster' } }, 'spec.scope', /in no namespace/],
  ['a kind in lower case', { spec: { names: { ...SPEC.names, kind: 'widget' } } }, 'spec.names.kind', /cannot be the name of a class/],
  ['a kind that hides a class', { spec: { names: { ...SPEC.names, kind: 'Map' } } }, 'spec.names.kind', /would hide/],
  ['no served version', { spec: { versions: [{ ...VERSION, served: false }] } }, 'spec.versions', /no version is served/],
];

test.each(SKIPPED)('a CRD that the library can have no class for is skipped: %s', (_, changes, field, message) => {
  expect(read(changes)).toMatchObject({ skipped: { field, message: expect.stringMatching(message) as string } });
});

test('--all takes in other groups', () => {
  expect(read({ spec: { group: 'widgets.example.com' } }, true)).toMatchObject({ crd: { group: 'widgets.example.com' } });
});

test('a defect goes before a reason to skip', () => {
  expect(read({ spec: { group: 'widgets.example.com', versions: [] } })).toMatchObject({ problem: { field: 'spec.versions' } });
});

test('a schema that cannot be read is a problem at its path', () => {
  const versions = [{ ...VERSION, schema: { openAPIV3Schema: { type: 7 } } }];
  expect(read({ spec: { versions } })).toMatchObject({
    problem: { field: expect.stringContaining('spec.versions[v1api20240101].schema.openAPIV3Schema') as string },
  });
});
