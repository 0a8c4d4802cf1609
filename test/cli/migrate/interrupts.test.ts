import { onInterrupt } from '../../../cli/migrate/interrupts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('%s: the sentence comes before the end, and the status names the signal', (signal, status) => {
  const once = jest.spyOn(process, 'once');
  const exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const before = process.listenerCount(signal);
  const sentences: string[] = [];
  const end = onInterrupt(() => void sentences.push('interrupted'));
  expect(process.listenerCount(signal)).toBe(before + 1);
  const listener = once.mock.calls.find(([name]) => name === signal)?.[1] as () => void;
  listener();
  expect([sentences, exit.mock.calls]).toEqual([['interrupted'], [[status]]]);
  end();
  expect(process.listenerCount(signal)).toBe(before);
});
