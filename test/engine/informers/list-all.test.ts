import { listAll } from '../../../engine/informers/list-all';
import { KubernetesError, type ListOptions, type ObjectList } from '../../../engine/kubernetes/types';
import { THING } from '../kubernetes/fake-api-server';

type Page = { readonly names: string[]; readonly continue?: string } | KubernetesError;

/** Lists from an API server that answers with these pages, one after the other. */
async function listed(...pages: Page[]) {
  const asked: Pick<ListOptions, 'limit' | 'continue'>[] = [];
  const onRestart = jest.fn();
  const api = {
    list: async (_type: unknown, { limit, continue: token }: ListOptions): Promise<ObjectList> => {
      asked.push({ limit, continue: token });
      const page = pages.shift()!;
      if (page instanceof Error) throw page;
      const items = page.names.map((name) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name } }));
      return { items, resourceVersion: `${asked.length}`, ...(page.continue !== undefined && { continue: page.continue }) } as ObjectList;
    },
  };
  const result = await listAll(api, THING, {}, { pageSize: 2, onRestart }, new AbortController().signal).then(
    ({ items, ...rest }) => ({ names: items.map(({ metadata }) => metadata.name), ...rest }),
    (error: unknown) => ({ error }),
  );
  return { result, asked, restarts: onRestart.mock.calls.length };
}

const expired = new KubernetesError(410, 'Expired', 'the token is too old');

test('the objects of all pages, at the version of the last one', async () => {
  const { result, asked } = await listed({ names: ['a', 'b'], continue: 't' }, { names: ['c'] });
  expect(result).toEqual({ names: ['a', 'b', 'c'], resourceVersion: '2', pages: 2 });
  expect(asked).toEqual([{ limit: 2, continue: undefined }, { limit: 2, continue: 't' }]);
});

test('an expired page token starts the list again, without the objects of the first attempt', async () => {
  const { result, restarts } = await listed({ names: ['a', 'b'], continue: 't' }, expired, { names: ['c'] });
  expect(result).toMatchObject({ names: ['c'], pages: 1 });
  expect(restarts).toBe(1);
});

test.each([410, 500])('the reason is enough for a status %d that a proxy has written', async (status) => {
  for (const reason of ['Expired', 'Gone']) {
    const { result, restarts } = await listed({ names: ['a', 'b'], continue: 't' }, new KubernetesError(status, reason, 'old'), { names: ['c'] });
    expect([result, restarts]).toEqual([expect.objectContaining({ names: ['c'] }), 1]);
  }
});

test('after two expired tokens the list is requested in one piece', async () => {
  const first = { names: ['a', 'b'], continue: 't' };
  const { result, asked, restarts } = await listed(first, expired, first, expired, { names: ['a', 'b', 'c'] });
  expect(result).toMatchObject({ names: ['a', 'b', 'c'] });
  expect(asked.at(-1)).toEqual({ limit: undefined, continue: undefined });
  expect(restarts).toBe(2);
});

test('410 without a page token is the error of the list', async () => {
  expect(await listed(expired)).toMatchObject({ result: { error: expired }, restarts: 0 });
});

test('any other error ends the list', async () => {
  const refused = new KubernetesError(403, 'Forbidden', 'no');
  expect(await listed({ names: ['a'], continue: 't' }, refused)).toMatchObject({ result: { error: refused }, restarts: 0 });
});
