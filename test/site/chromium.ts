import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of a Chromium: the variable `CHROMIUM`, or the first on the PATH under one of its names. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  const candidates = NAMES.flatMap((name) => PATH.split(delimiter).map((directory) => join(directory, name)));
  return [...(CHROMIUM === undefined ? [] : [CHROMIUM]), ...candidates].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
