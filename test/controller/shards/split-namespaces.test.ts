import { SplitNamespaces, type SplitWish } from '../../../controller/shards/split-namespaces';
import type { ObjectEvent } from '../../../engine/kubernetes/types';
import { FakeClock } from '../reconcile/fake-clock';

function environment() {
  const clock = new FakeClock();
  const wishes: SplitWish[] = [];
  const split = new SplitNamespaces({ clock, onChange: (wish) => wishes.push(wish) });
  const see = (name: string, value: string | undefined, type: ObjectEvent['type'] = 'MODIFIED', kind = 'Namespace') => split.handle({
    type, object: { apiVersion: 'v1', kind, metadata: { name, ...(value === undefined ? {} : { annotations: { 'aso.cdk8s.io/shard-by': value } }) } },
  });
  return { clock, wishes, see, split };
}

test('namespaces with the annotation, sorted; changes within a second are one', async () => {
  const { clock, wishes, see } = environment();
  see('b', 'owner', 'ADDED');
  see('a', 'owner', 'ADDED');
  see('c', undefined, 'ADDED');
  see('d', 'kind', 'ADDED');
  see('e', 'owner', 'ADDED', 'Secret');
  expect(wishes).toEqual([]);
  await clock.advance(1_000);
  expect(wishes).toEqual([{ namespaces: ['a', 'b'], refused: [] }]);
  see('a', undefined);
  see('a', 'owner');
  await clock.advance(1_000);
  expect(wishes).toHaveLength(1);
  see('a', undefined);
  see('b', 'owner', 'DELETED');
  await clock.advance(1_000);
  expect(wishes[1]).toEqual({ namespaces: [], refused: [] });
});

test('the first fifty by name are split; the others are reported', async () => {
  const { clock, wishes, see, split } = environment();
  const names = Array.from({ length: 53 }, (_, index) => `n${index + 10}`);
  [...names].reverse().forEach((name) => see(name, 'owner'));
  await clock.advance(1_000);
  expect(wishes).toEqual([{ namespaces: names.slice(0, 50), refused: names.slice(50) }]);
  expect(split.current.refused).toHaveLength(3);
});
