import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Platform = NodeJS.Platform;

/** The program that opens an address in the user's browser. */
export function browserCommand(address: string, platform: Platform = process.platform): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/**
 * Opens the page in the user's browser. Command lines can be read by all users of a machine, so the browser gets the name of a file that
 * only this user can read, and the file leads to the address with the token.
 *
 * @param onProblem called with the reason where there is no browser
 * @returns removes the file
 */
export function openInBrowser(url: string, onProblem: (why: string) => void): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-ui-'));
  const file = join(directory, 'open.html');
  writeFileSync(file, forwardingPage(url), { mode: 0o600 });
  const [program, ...args] = browserCommand(pathToFileURL(file).href);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => onProblem(`no browser could be started (${program}): open the address yourself`));
  child.on('exit', (status) => status !== 0 && onProblem(`${program} could not open a browser: open the address yourself`));
  child.unref();
  return () => rmSync(directory, { recursive: true, force: true });
}

/** The address is made of digits and letters of base64url: nothing in it has to be escaped. */
export function forwardingPage(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>cdk8s-aso</title><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Open the page</a>\n`;
}
