import { VirtualTime } from './virtual-time';
import { Budget, ThrottledError, type BudgetUse } from '../../../controller/budget';
import type { ArmRequest, ArmResponse } from '../../../engine/arm/types';

const HANGS_MS = 180_000;
const LATENCY_MS = 100;
const OK: ArmResponse = { status: 200, headers: {}, body: {}, text: '' };
const refused = (code: string, seconds: number): ArmResponse => ({
  status: 429, headers: { 'retry-after': String(seconds) }, body: { error: { code, message: 'no' } }, text: '',
});
const put = (name: string): ArmRequest => ({
  method: 'PUT', url: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Search/searchServices/${name}`,
});

/** One principal of several namespaces, and requests of one of them that hang. */
function environment() {
  const time = new VirtualTime();
  const budget = new Budget({ clock: time });
  const sent: { readonly namespace: string; readonly at: number }[] = [];
  let answer: (namespace: string) => ArmResponse | 'hangs' = () => OK;
  const client = (namespace: string, use: Partial<BudgetUse> = {}) => budget.clientFor({
    client: {
      subscriptionId: 's',
      endpoint: 'https://arm',
      send: async () => {
        sent.push({ namespace, at: time.now() });
        const given = answer(namespace);
        await time.sleep(given === 'hangs' ? HANGS_MS : LATENCY_MS);
        if (given === 'hangs') throw new Error('no answer');
        return given;
      },
    },
    tenantId: 't',
    clientId: 'p',
    source: 'a/b',
  }, { namespace, priority: 'fresh', ...use });
  const send = (namespace: string, name: string, use?: Partial<BudgetUse>) => client(namespace, use).send(put(name)).then(() => 'answered', (error: Error) => error.name);
  return { time, sent, budget, send, answers: (of: typeof answer) => (answer = of) };
}

test.each([
  ['the provider', 'TooManyRequests'],
  ['Azure Resource Manager', 'SubscriptionRequestsThrottled'],
])('requests of a namespace that hang keep its neighbour waiting for seconds, after a refusal by %s', async (_, code) => {
  const { time, sent, send, answers } = environment();
  answers(() => refused(code, 10));
  void send('hostile', 'refused');
  await time.run(time.now() + 1_000);
  answers((namespace) => (namespace === 'hostile' ? 'hangs' : OK));
  for (let i = 0; i < 22; i += 1) void send('hostile', `h${i}`);
  // One of them is the probe.
  await time.run(time.now() + 11_000);
  const came = time.now();
  void send('neighbour', 'n');
  await time.run(came + HANGS_MS);
  const first = sent.find(({ namespace }) => namespace === 'neighbour');
  expect((first?.at ?? Infinity) - came).toBeLessThanOrEqual(5_000);
});

test('each of several neighbours is served within seconds, beside probes that hang', async () => {
  const { time, sent, send, answers } = environment();
  answers(() => refused('SubscriptionRequestsThrottled', 10));
  void send('hostile', 'h');
  await time.run(time.now() + 1_000);
  answers((namespace) => (namespace === 'hostile' ? 'hangs' : OK));
  await time.run(time.now() + 10_500);
  for (let i = 0; i < 5; i += 1) void send('hostile', `h${i}`);
  for (let i = 0; i < 10; i += 1) void send(`neighbour-${i}`, 'n');
  const came = time.now();
  await time.run(came + HANGS_MS);
  const times = sent.filter(({ namespace }) => namespace.startsWith('neighbour')).map(({ at }) => at - came);
  expect(times).toHaveLength(10);
  expect(Math.max(...times)).toBeLessThanOrEqual(5_000);
});

test('a probe that hangs does not make the others start again', async () => {
  const { time, send, answers } = environment();
  answers(() => refused('SubscriptionRequestsThrottled', 1));
  void send('hostile', 'h').catch(() => undefined);
  await time.run(time.now() + 500);
  answers((namespace) => (namespace === 'hostile' ? 'hangs' : OK));
  const reasons: ThrottledError[] = [];
  const ends = ['a', 'b', 'c'].map((namespace) => send(namespace, namespace, { onThrottled: (reason) => void reasons.push(reason) }));
  await time.run(time.now() + HANGS_MS);
  expect([await Promise.all(ends), reasons]).toEqual([['answered', 'answered', 'answered'], []]);
});
