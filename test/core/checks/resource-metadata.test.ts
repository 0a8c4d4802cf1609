import { App, Chart, Lazy, type IResolver } from 'cdk8s';
import fc from 'fast-check';
import { metadataOf } from '../../../src/core/checks/resource-metadata';
import { ResourceGroup } from '../../../src/services/resources';

const key = fc.constantFrom('team', 'example.com/owner', 'serviceoperator.azure.com/reconcile-policy', 'aso.cdk8s.io/adopt');
const late = (value: unknown) => Lazy.any({ produce: () => value }) as unknown as string;
const text = fc.oneof(fc.constantFrom('skip', 'IfPresent', ''), fc.constantFrom('manage', undefined, null).map(late));
const texts = fc.option(fc.dictionary(key, text, { maxKeys: 3 }), { nil: undefined });
const metadata = fc.record({
  name: fc.constantFrom('group', late('group')),
  namespace: fc.constantFrom(undefined, 'shop', late('shop')),
  labels: texts,
  annotations: texts,
  finalizers: fc.constantFrom(undefined, [], ['example.com/held'], [late('example.com/held')]),
  ownerReferences: fc.constantFrom(undefined, [], [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'one' }]),
  generateName: fc.constantFrom(undefined, 'group-'),
}, { requiredKeys: [] });
/** A resolver of the app's own. */
const shouting: IResolver = {
  resolve: (context) => {
    if (typeof context.value === 'string' && context.value === 'skip') context.replaceValue('SKIP');
  },
};

/** The metadata that the rules read, without what is empty. */
function read(all: Readonly<Record<string, unknown>>): object {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = all;
  const entries = Object.entries({ name, namespace, labels, annotations, finalizers, ownerReferences });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && Object.keys(value as object).length > 0));
}

test('the rules read the metadata that the manifest will have', () => {
  fc.assert(fc.property(metadata, fc.boolean(), fc.option(key, { nil: undefined }), (given, hasResolver, added) => {
    const app = new App({ resolvers: hasResolver ? [shouting] : [] });
    const resource = new ResourceGroup(new Chart(app, 'chart'), 'group', { location: 'uksouth', metadata: given as object });
    if (added !== undefined) resource.metadata.addAnnotation(added, 'added');
    expect(read(metadataOf(resource as never))).toEqual(read(resource.metadata.toJson() as Record<string, unknown>));
  }));
});
