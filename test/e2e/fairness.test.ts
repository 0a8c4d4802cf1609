import { GroupsEnvironment } from './groups-environment';
import { until } from '../setup/until';

const MANY = 400;

describe('a namespace that applies very many objects', () => {
  let environment: GroupsEnvironment | undefined;
  beforeAll(async () => {
    environment = await GroupsEnvironment.start({ timeScale: 600 });
  });
  afterAll(() => environment?.close());

  test('is not in the way of another one\'s single object', async () => {
    const { azure } = environment!;
    const apply = (namespace: string, name: string) => environment!.apply(namespace, name);
    const created = () =>
      azure
        .log()
        .filter(({ method, path }) => method === 'PUT' && /\/resourcegroups\/[^/]+$/i.test(path))
        .map(({ path }) => path.split('/').at(-1)!);
    for (const name of ['crowded', 'quiet']) await environment!.namespace(name);
    // Not the first object of its namespace: one that is alone may use all slots.
    await apply('quiet', 'before');
    for (let begun = 0; begun < MANY; begun += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => apply('crowded', `many-${begun + index}`)));
    }
    environment!.startController(['--delay-scale', '20'], { MAX_CONCURRENT_RECONCILES: '8' });
    await until('the first objects are created', () => created().length >= 20);
    await apply('quiet', 'single');
    const before = created().length;
    await until('the single object is created', () => created().includes('single'));
    // In the order of arrival it would be the last one of all.
    expect(before).toBeLessThan(MANY - 150);
    expect(created().indexOf('single') - before).toBeLessThan(80);
  });
});
