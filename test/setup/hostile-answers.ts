import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Bodies of a server that wants to hurt who reads them. */
export const HOSTILE_BODIES = ['bomb', 'drip', 'endless', 'cut'] as const;
export type HostileBody = (typeof HOSTILE_BODIES)[number];

const MEMBER_BYTES = 60_000_000;
const MEMBERS = 10;
let member: Buffer | undefined;

/** 600 MB of blanks in 600 KB of gzip, which has as many members as one likes. */
function bomb(): Buffer {
  member ??= gzipSync(Buffer.alloc(MEMBER_BYTES, ' '));
  return Buffer.concat(Array.from({ length: MEMBERS }, () => member!));
}

/** A byte in so many milliseconds. */
const DRIP_MS = 50;

/** Answers with 200 and a hostile body, as JSON. */
export function answerHostilely(response: ServerResponse, body: HostileBody): void {
  const json = { 'content-type': 'application/json' };
  const packed = { ...json, 'content-encoding': 'gzip' };
  response.on('error', () => undefined);
  switch (body) {
    case 'bomb':
      return void response.writeHead(200, packed).end(bomb());
    case 'drip': {
      response.writeHead(200, json).write('{"a":"');
      const timer = setInterval(() => response.write('x'), DRIP_MS);
      return void response.once('close', () => clearInterval(timer));
    }
    case 'endless': {
      response.writeHead(200, json).write('{"a":"');
      const part = Buffer.alloc(65_536, 'x');
      const go = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', go);
      return go();
    }
    case 'cut': {
      const whole = gzipSync(JSON.stringify({ a: Array.from({ length: 10_000 }, (_, index) => String(index * 7919)) }));
      response.writeHead(200, { ...packed, 'content-length': whole.length });
      return void response.write(whole.subarray(0, whole.length / 2), () => response.socket?.destroy());
    }
  }
}
