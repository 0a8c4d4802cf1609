import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { connected } from '../../../controller/databases/connected';
import { mysqlConnect } from '../../../controller/databases/mysql/connect';
import { isOfSameCloud } from '../../../controller/databases/owner-server';
import { postgresqlConnect } from '../../../controller/databases/postgresql/connect';
import type { Connect, ConnectOptions, Session } from '../../../controller/databases/session';
import { sqlConnect } from '../../../controller/databases/sqlserver/connect';
import { loopbackCertificate } from '../../../sandbox/azure/http/certificate';
import { until } from '../../setup/until';

/* Servers that send what hurts a driver: a message without end, one of which a byte comes now and then, half a message. */

/** Sends for ever, as fast as the client reads. */
function endless(socket: Socket, beginning: Buffer): void {
  const part = Buffer.alloc(65_536, 'x');
  socket.write(beginning);
  const go = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', go);
  go();
}

function drip(socket: Socket, beginning: Buffer): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(timer));
}

const cut = (socket: Socket, beginning: Buffer) => void socket.write(beginning, () => socket.destroy());

type Hurt = typeof endless;

/** The talk before the message that hurts, and its beginning. */
interface Protocol {
  readonly connect: (options: ConnectOptions) => Connect;
  /** Answers with the socket of the encryption, where there is one. */
  readonly greet: (socket: Socket, encrypted: (socket: Socket) => Socket) => Promise<Socket>;
  readonly message: Buffer;
}

const next = (socket: Socket) => new Promise<Buffer>((resolve) => void socket.once('data', resolve));

const TLS_REQUEST_BYTES = 36;

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'PostgreSQL': {
    connect: postgresqlConnect,
    greet: async (socket, encrypted) => {
      await next(socket);
      socket.write('S');
      const secure = encrypted(socket);
      await next(secure);
      return secure;
    },
    // A row of 2 GB.
    message: Buffer.from([0x44, 0x7f, 0xff, 0xff, 0xff, 0x00, 0x01]),
  },
  'MySQL': {
    connect: mysqlConnect,
    greet: async (socket, encrypted) => {
      const greeting = Buffer.concat([
        Buffer.from([0x0a]), Buffer.from('8.0.36\0'), Buffer.from([1, 0, 0, 0]), Buffer.from('12345678\0'),
        // TLS, protocol 4.1, plugins.
        Buffer.from([0x08, 0x8a, 45, 2, 0, 0x08, 0, 21]), Buffer.alloc(10), Buffer.from('123456789012\0'), Buffer.from('mysql_native_password\0'),
      ]);
      socket.write(Buffer.concat([Buffer.from([greeting.length, 0, 0, 0]), greeting]));
      const said = await next(socket);
      // The client does not wait for an answer to its wish for TLS.
      socket.pause();
      socket.unshift(said.subarray(TLS_REQUEST_BYTES));
      const secure = encrypted(socket);
      await next(secure);
      return secure;
    },
    message: Buffer.from([0xff, 0xff, 0xff, 0x03]),
  },
  'SQL Server': {
    connect: sqlConnect,
    greet: async (socket) => {
      await next(socket);
      return socket;
    },
    // A packet of 64 KB that is not the last one of its message: its beginning is that of the next one.
    message: Buffer.from([0x04, 0x00, 0xff, 0xff, 0, 0, 1, 0]),
  },
};

let server: Server;
let sockets: Set<Socket>;
let hurt: (socket: Socket) => Promise<void>;

beforeEach(async () => {
  sockets = new Set();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    void hurt(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  sockets.forEach((socket) => socket.destroy());
  await new Promise((resolve) => server.close(resolve));
});

async function attempt({ connect }: Protocol, connectTimeoutMs?: number): Promise<unknown> {
  const { ca } = await loopbackCertificate();
  const { port } = server.address() as AddressInfo;
  const target = { host: 'localhost', port, database: 'db' };
  return connect({ ca, ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }) })(target, { user: 'boss', password: 'p', isToken: false });
}

async function hurting({ greet, message }: Protocol, how: Hurt): Promise<void> {
  const { cert, key } = await loopbackCertificate();
  hurt = async (socket) => how(await greet(socket, (raw) => new TLSSocket(raw, { isServer: true, cert, key }).on('error', () => undefined)), message);
}

describe.each(Object.entries(PROTOCOLS))('%s', (_, protocol) => {
  test('a message without end', async () => {
    await hurting(protocol, endless);
    const before = process.memoryUsage.rss();
    await expect(attempt(protocol)).rejects.toThrow('the server sent more than 4194304 bytes');
    await until('the connection is closed', () => sockets.size === 0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
  });

  test('a message without end in the place of the greeting', async () => {
    hurt = async (socket) => endless(socket, protocol.message);
    await expect(attempt(protocol)).rejects.toThrow();
    await until('the connection is closed', () => sockets.size === 0);
  });

  test('a message of which a byte comes now and then', async () => {
    await hurting(protocol, drip);
    await expect(attempt(protocol, 500)).rejects.toThrow(/timeout|timed ?out|in 500ms/i);
    await until('the connection is closed', () => sockets.size === 0);
  });

  test('half a message', async () => {
    await hurting(protocol, cut);
    await expect(attempt(protocol)).rejects.toThrow();
    await until('the connection is closed', () => sockets.size === 0);
  });
});

describe('a session', () => {
  const entrance = {
    target: { host: 'db.postgres.database.azure.com', port: 1, database: 'd' },
    admin: { user: 'boss', password: 'secret-word', isToken: false },
    secrets: ['secret-word'],
  };
  const never = () => new Promise<never>(() => undefined);
  const session = (more: Partial<Session>) => {
    const destroy = jest.fn();
    return { destroy, connect: async () => ({ rows: async () => [], close: async () => undefined, destroy, ...more }) };
  };
  const { signal } = new AbortController();

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('that does not close is cut off, and what it has done counts', async () => {
    const { connect, destroy } = session({ close: never });
    const done = connected(connect, entrance, { signal }, async (run) => run({ step: 'look', text: 'SELECT 1' }));
    await jest.advanceTimersByTimeAsync(5_000);
    await expect(done).resolves.toEqual([]);
    expect(destroy).toHaveBeenCalledTimes(1);
  });

  test('whose statements never end is cut off', async () => {
    const { connect, destroy } = session({ rows: never });
    const done = connected(connect, entrance, { signal }, async (run) => run({ step: 'look', text: 'SELECT 1' }));
    const failed = expect(done).rejects.toThrow('look: no end of the session within 600 s');
    await jest.advanceTimersByTimeAsync(600_000);
    await failed;
    expect(destroy).toHaveBeenCalled();
  });
});

test.each([
  ['one.database.windows.net', 'a1b2.tr77.westeurope1-a.worker.database.windows.net', true],
  ['localhost', 'LOCALHOST', true],
  ['one.database.windows.net', 'evil.example', false],
  ['one.database.windows.net', 'database.windows.net.evil.example', false],
  ['one.database.windows.net', 'one.database.usgovcloudapi.net', false],
  ['localhost', 'one.database.windows.net', false],
])('a login for %s is sent on to %s: %s', (host, other, expected) => expect(isOfSameCloud(host, other)).toBe(expected));
