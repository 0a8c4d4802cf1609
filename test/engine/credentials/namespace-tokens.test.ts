import { NamespaceTokens, type ServiceAccountToken } from '../../../engine/credentials';
import { MAX_HELD_TOKENS } from '../../../engine/credentials/namespace-tokens';
import { CredentialError } from '../../../engine/credentials/types';
import { KubernetesError } from '../../../engine/kubernetes/types';

function setUp(answer: (count: number, namespace: string) => ServiceAccountToken | KubernetesError) {
  const asked: unknown[][] = [];
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const tokens = new NamespaceTokens({
    createToken: async (...all) => {
      asked.push(all);
      const given = answer(asked.length, all[0]);
      if (given instanceof Error) throw given;
      return given;
    },
  }, clock);
  return { asked, clock, tokens };
}

type Clock = { now(): number };
const fresh = (clock: Clock, count: number): ServiceAccountToken => ({
  token: `token-${count}`,
  expirationTimestamp: new Date(clock.now() + 3_600_000).toISOString(),
});

async function problemOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(() => undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CredentialError);
  return (error as CredentialError).problem;
}

test('one request for all who ask at once; the token is kept, and renewed when a fifth of its time is left', async () => {
  const { asked, clock, tokens } = setUp((count) => fresh(clock, count));
  expect(await Promise.all([tokens.token('a'), tokens.token('a'), tokens.token('a')])).toEqual(['token-1', 'token-1', 'token-1']);
  expect(asked).toEqual([['a', 'aso-workload', 'api://AzureADTokenExchange', 3600]]);
  clock.time += 2_870_000;
  expect(await tokens.token('a')).toBe('token-1');
  clock.time += 20_000;
  expect(await tokens.token('a')).toBe('token-2');
});

// An API server may limit the time (`--service-account-max-token-expiration`), or give more than was requested.
test.each([600, 1_800, 86_400])('a token is renewed by the time that it was given: %i s', async (seconds) => {
  const { asked, clock, tokens } = setUp((count) => ({
    token: `token-${count}`, expirationTimestamp: new Date(clock.now() + seconds * 1_000).toISOString(),
  }));
  await tokens.token('a');
  clock.time += seconds * 799;
  expect(await tokens.token('a')).toBe('token-1');
  clock.time += seconds * 2;
  expect(await tokens.token('a')).toBe('token-2');
  expect(asked).toHaveLength(2);
});

test('each namespace has its own', async () => {
  const { clock, tokens } = setUp((count, namespace) => ({ ...fresh(clock, count), token: `of-${namespace}` }));
  expect([await tokens.token('a'), await tokens.token('b'), await tokens.token('a')]).toEqual(['of-a', 'of-b', 'of-a']);
});

test('the tokens of a thousand namespaces are kept, and of more those that were renewed last', async () => {
  const { asked, clock, tokens } = setUp((count, namespace) => ({ ...fresh(clock, count), token: `of-${namespace}` }));
  const requestsFor = async (namespace: string) => {
    const before = asked.length;
    expect(await tokens.token(namespace)).toBe(`of-${namespace}`);
    return asked.length - before;
  };
  for (let index = 0; index < MAX_HELD_TOKENS; index += 1) await tokens.token(`team-${index}`);
  clock.time += 3_000_000;
  // Renewed, and so the newest one.
  expect(await requestsFor('team-0')).toBe(1);
  for (let index = 0; index < MAX_HELD_TOKENS - 1; index += 1) await tokens.token(`later-${index}`);
  expect(await requestsFor('team-0')).toBe(0);
  await tokens.token('one-more');
  expect([await requestsFor('later-0'), await requestsFor('one-more')]).toEqual([0, 0]);
  // None of these has ended, and each request stands for a token that was dropped.
  expect([await requestsFor('team-0'), await requestsFor('later-0')]).toEqual([1, 1]);
});

test('an API server that does not answer takes no token away, as long as it is valid', async () => {
  const { clock, tokens } = setUp((count) => (count === 1 ? fresh(clock, 1) : new KubernetesError(0, 'ECONNREFUSED', 'no connection')));
  await tokens.token('a');
  clock.time += 3_000_000;
  expect(await tokens.token('a')).toBe('token-1');
  clock.time += 550_000;
  expect(await problemOf(tokens.token('a'))).toBe('UnknownError');
});

test.each([
  [404, 'ServiceAccountNotFound'],
  [403, 'ServiceAccountTokenForbidden'],
])('a refusal with %i takes the token away at once', async (status, problem) => {
  let last = new KubernetesError(status, 'x', 'x');
  const { clock, tokens } = setUp((count) => (count === 1 ? fresh(clock, 1) : last));
  await tokens.token('a');
  clock.time += 3_000_000;
  expect(await problemOf(tokens.token('a'))).toBe(problem);
  last = new KubernetesError(0, 'ECONNREFUSED', 'no connection');
  expect(await problemOf(tokens.token('a'))).toBe('UnknownError');
});

test('a failure is not kept', async () => {
  const { clock, tokens } = setUp((count) => (count === 1 ? new KubernetesError(404, 'NotFound', 'x') : fresh(clock, count)));
  expect(await problemOf(tokens.token('a'))).toBe('ServiceAccountNotFound');
  expect(await tokens.token('a')).toBe('token-2');
});

test('an answer without a token is none', async () => {
  const { tokens } = setUp(() => ({ token: '', expirationTimestamp: '' }));
  expect(await problemOf(tokens.token('a'))).toBe('UnknownError');
});
