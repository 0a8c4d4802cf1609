import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBoundedFile } from '../../engine/bounded-file';

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-file-'));
const file = join(directory, 'file');
afterAll(() => rmSync(directory, { recursive: true }));

test('a small file is read once, and again when it has changed', async () => {
  writeFileSync(file, 'grüße');
  const { text, changedMs } = (await readBoundedFile(file, 7))!;
  expect(text).toBe('grüße');
  expect(await readBoundedFile(file, 7, changedMs)).toBeUndefined();
  expect(await readBoundedFile(file, 7, changedMs - 1)).toEqual({ text, changedMs });
});

test.each([6, 1])('one of more than %s bytes is not', async (maxBytes) => {
  await expect(readBoundedFile(file, maxBytes)).rejects.toThrow(`${file} is no file of 1 to ${maxBytes} bytes`);
});

test('nor is one that grows between the look and the read', async () => {
  const files = jest.requireActual<typeof promises>('node:fs/promises');
  const look = jest.spyOn(files, 'stat').mockResolvedValue({ isFile: () => true, size: 3, mtimeMs: 1 } as never);
  await expect(readBoundedFile(file, 3)).rejects.toThrow('is no file of 1 to 3 bytes');
  expect(look).toHaveBeenCalledTimes(1);
  look.mockRestore();
});

test('an error of the file system stays as it is', async () => {
  await expect(readBoundedFile(join(directory, 'none'), 3)).rejects.toMatchObject({ code: 'ENOENT' });
});
