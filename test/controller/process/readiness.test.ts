import { Readiness } from '../../../controller/process/readiness';

const running = (watchers?: { notReady: string | undefined }) => {
  const readiness = new Readiness(watchers as { readonly notReady: string });
  readiness.waitsFor = undefined;
  return readiness;
};

test('a process that has not started is not ready', () => {
  expect(new Readiness(undefined).notReady()).toBe('the process starts');
});

test('a step of the start is reported before lists and certificates', () => {
  const readiness = running({ notReady: 'not all kinds are listed yet' } as never);
  readiness.admission = { isReady: false };
  readiness.waitsFor = 'CRDs are being installed';
  expect(readiness.notReady()).toBe('CRDs are being installed');
});

test('incomplete lists are reported until they were complete once', () => {
  const watchers = { notReady: 'secrets are not listed' as string | undefined };
  const readiness = running(watchers);
  expect(readiness.notReady()).toBe('secrets are not listed');
  watchers.notReady = undefined;
  expect(readiness.notReady()).toBeUndefined();
  watchers.notReady = 'secrets are not listed';
  expect(readiness.notReady()).toBeUndefined();
});

test('lists that are complete while a step is under way do not count yet', () => {
  const watchers = { notReady: undefined as string | undefined };
  const readiness = new Readiness(watchers as { readonly notReady: string });
  readiness.notReady();
  readiness.waitsFor = undefined;
  watchers.notReady = 'secrets are not listed';
  expect(readiness.notReady()).toBe('secrets are not listed');
});

test('a process without watchers waits for the certificate of its webhooks', () => {
  const readiness = running();
  readiness.admission = { isReady: false };
  expect(readiness.notReady()).toBe('the certificate of the webhooks is not there yet');
  readiness.admission = { isReady: true };
  expect(readiness.notReady()).toBeUndefined();
});
