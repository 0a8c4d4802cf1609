import type { Unfenced } from './mistakes-of-shards';
import type { Report } from './simulate';
import type * as Fences from '../../controller/reconcile/fence';

/** Seeds within which each mistake has to be found. */
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
/** Where those do not begin with one that finds it: one that does. */
const FOUND_IN: Readonly<Record<string, number>> = {
  'writes to Azure do not ask the fence': 29,
  'writes to Kubernetes do not ask the fence': 2,
  'reconciles of a namespace that is given away do not end first': 2,
  'reconciles begin in a namespace that is given away': 2,
  'a namespace that is not listed yet is taken for empty': 24,
  'a term does not end': 3,
  'trees are not read before a write to Azure': 11,
  'an object that comes to another tree is not left alone': 11,
  'a namespace that is split has one owner': 2,
};

const mockUnfenced: Unfenced = { azure: false, kubernetes: false };

jest.mock('../../controller/reconcile/fence', () => {
  const actual = jest.requireActual<typeof Fences>('../../controller/reconcile/fence');
  const mocked: typeof Fences = {
    ...actual,
    fencedClient: (client, fence, object) => actual.fencedClient(client, mockUnfenced.kubernetes ? undefined : fence, object),
    fencedArmClient: (client, fence, object) => actual.fencedArmClient(client, mockUnfenced.azure ? undefined : fence, object),
    fencedCredential: (credential, fence, object) => actual.fencedCredential(credential, mockUnfenced.azure ? undefined : fence, object),
  };
  return mocked;
});

const { SHARD_MISTAKES } = jest.requireActual<typeof import('./mistakes-of-shards')>('./mistakes-of-shards');
const { simulate } = jest.requireActual<typeof import('./simulate')>('./simulate');

let undo: () => void = () => undefined;
afterEach(() => undo());

test.each(Object.entries(SHARD_MISTAKES))('%s: found', async (name, { around, unfenced = {}, says }) => {
  const found: Report[] = [];
  Object.assign(mockUnfenced, { azure: false, kubernetes: false, ...unfenced });
  undo = around?.() ?? (() => undefined);
  for (const seed of new Set([...name in FOUND_IN ? [FOUND_IN[name]!] : [], ...SEEDS])) {
    const report = await simulate(seed, { shards: true });
    if (!report.violations.some((text) => says.test(text))) continue;
    found.push(report);
    break;
  }
  expect(found).toHaveLength(1);
}, 600_000);
