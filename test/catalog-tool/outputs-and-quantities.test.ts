import { BED, RESOURCE_GROUP } from './made-up-kinds';
import { readKinds } from './read';
import { NO_OVERLAYS, type OutputOverlay, type QuantityOverlay } from '../../catalog-tool/overlays/overlays';

const kind = 'garden.azure.com/Bed';
const outputs = (entry: Omit<OutputOverlay, 'kind' | 'reason'>) => ({ ...NO_OVERLAYS, outputs: [{ kind, reason: 'r', ...entry }] });
const quantities = (entry: Omit<QuantityOverlay, 'reason'>) => ({ ...NO_OVERLAYS, quantities: [{ reason: 'r', ...entry }] });

test('outputs become facts of the kind', async () => {
  const named = { url: { value: 'https://${status.id}', text: 'Address.' } };
  const { service } = await readKinds([RESOURCE_GROUP, BED], outputs({ outputs: named }));
  expect(service('garden').kinds.Bed!.outputs).toEqual(named);
});

test.each<[object, string]>([
  [{ text: 'Address.' }, 'the operator exports no such value, so it needs one here'],
  [{ value: '${status.id}', text: 'Address' }, 'text is no sentence'],
  [{ value: 'id', text: 'Address.' }, 'value has no ${…} in it'],
  [{ value: '${status.id}', text: 'Address.', secret: true }, 'has secret, which nothing reads'],
])('the output %j is refused', async (output, message) => {
  await expect(readKinds([RESOURCE_GROUP, BED], outputs({ outputs: { url: output as never } }))).rejects.toThrow(message);
});

test.each<[NonNullable<QuantityOverlay['properties']>, string]>([
  [{ garden: { Tree_Spec: { length: 'GiB' } } }, 'garden: Tree_Spec: no version has the type'],
  [{ garden: { Bed_Spec: { height: 'GiB' } } }, 'garden: Bed_Spec.height: no version has the property'],
  [{ garden: { Bed_Spec: { length: 'metres' as never } } }, 'metres is none of iso8601'],
])('the quantities %j are refused', async (properties, message) => {
  await expect(readKinds([RESOURCE_GROUP, BED], quantities({ properties }))).rejects.toThrow(message);
});

test('quantities become facts of the property, by name or by the end of the name', async () => {
  const named = await readKinds([RESOURCE_GROUP, BED], quantities({ properties: { garden: { Bed_Spec: { length: 'MiB' } } } }));
  const byEnd = await readKinds([RESOURCE_GROUP, BED], quantities({ suffixes: { Length: 'MiB' } }));
  for (const { service } of [named, byEnd]) {
    const [types] = Object.values(service('garden').types);
    expect(types!.Bed_Spec!.props.length).toMatchObject({ quantity: 'MiB' });
  }
});
