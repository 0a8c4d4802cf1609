import { basename } from 'node:path';
import { storageKinds } from './kept';

beforeAll(() => jest.useFakeTimers());

test('it changes what the process has', () => {
  process.env.CDK8S_ASO_LEFT = 'by a suite';
  delete process.env.HOME;
  (globalThis as Record<string, unknown>).leftByASuite = true;
  globalThis.fetch = (() => undefined) as never;
  jest.spyOn(Math, 'random').mockReturnValue(0);
  process.chdir(__dirname);
  storageKinds.push('StorageAccount');
  expect([Math.random(), basename(process.cwd())]).toEqual([0, 'cases']);
});
