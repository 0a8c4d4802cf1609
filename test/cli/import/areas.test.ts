import { AREAS } from './areas';
import { importFrom, shopsAzure } from './simulated-azure';

test('resources of more than 60 types are imported without defaults, all of them, and nothing would change', async () => {
  const { azure, groups } = await shopsAzure(1);
  try {
    const { status, errors, printed } = await importFrom(azure, groups, { format: 'json', namespace: 'shop', workers: 8, defaults: false, verify: true });
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    const report = JSON.parse(printed) as { resources: { armId: string; change: string; object: { apiVersion: string; kind: string } }[] };
    expect(report.resources.filter(({ change }) => change !== 'noChange')).toEqual([]);
    const imported = new Set(report.resources.map(({ armId }) => armId.toLowerCase()));
    const made = AREAS.flatMap(({ resources }) => resources('')).map(({ id }) => id);
    expect(made.filter((id) => !imported.has(id.toLowerCase()))).toEqual([]);
    const types = new Set(report.resources.map(({ object }) => `${object.apiVersion.split('/')[0]}/${object.kind}`));
    expect(types.size).toBeGreaterThan(60);
  } finally {
    await azure.close();
  }
});
