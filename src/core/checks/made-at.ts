import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IConstruct } from 'constructs';

// In the global symbol registry, because an app may load two copies of the library.
const TRACE = Symbol.for('cdk8s-aso.trace');

/** Frames of this library, of cdk8s and constructs, of Node, and of what loads TypeScript. */
const NOT_OF_THE_USER = /[\\/]node_modules[\\/](?:cdk8s|cdk8s-plus-\d+|constructs|tsx|ts-node|@jsii)[\\/]|^node:|^internal[\\/]/;
const FRAME = /^\s+at (?:.*? \()?((?:file:\/\/)?[^()]+?):(\d+):(\d+)\)?$/;

/**
 * Remembers where a construct is made. The frames are kept as the engine has them; it writes them as text, and looks into source maps, only
 * when a finding is reported.
 * @param below the class whose constructor is called: its frame and those above it are left out
 * @param frames how many frames are kept
 */
export function rememberPlace(construct: IConstruct, below: Function, frames: number): void {
  if (process.env.CDK8S_ASO_FRAMES === 'off' || process.env.JSII_AGENT !== undefined) return;
  const trace: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = frames;
  Error.captureStackTrace(trace, below);
  Error.stackTraceLimit = limit;
  Object.defineProperty(construct, TRACE, { value: trace });
}

/** The findings, each with the file, line and column of the user's code that makes the construct, or what it is a part of. */
export function withPlace(construct: IConstruct, findings: string[]): string[] {
  if (findings.length === 0) return findings;
  const place = placeOf(construct);
  return place === undefined ? findings : findings.map((finding) => `${finding}\n      at ${place}`);
}

function placeOf(construct: IConstruct): string | undefined {
  for (let each: IConstruct | undefined = construct; each; each = each.node.scope) {
    const trace = (each as { [TRACE]?: { stack?: string } })[TRACE];
    const place = trace && usersFrame(trace.stack ?? '');
    if (place !== undefined) return place;
  }
  return undefined;
}

function usersFrame(stack: string): string | undefined {
  const library = resolve(dirname(__filename), '..', '..') + sep;
  for (const line of stack.split('\n')) {
    const [, address, row, column] = FRAME.exec(line) ?? [];
    if (address === undefined || line.includes('eval at')) continue;
    const file = address.startsWith('file://') ? fileURLToPath(address) : address;
    if (file.startsWith(library) || NOT_OF_THE_USER.test(file) || !file.includes(sep)) continue;
    const near = relative(process.cwd(), file);
    return `${near.startsWith('..') ? file : near}:${row}:${column}`;
  }
  return undefined;
}
