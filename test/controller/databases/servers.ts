import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loopbackCertificate } from '../../../sandbox/azure/http/certificate';
import { freePort } from '../../e2e/servers';

export const ADMIN = { user: 'boss', password: "adm in's;\\ \"pass--word" };

/** A database server on the loopback address that speaks TLS only. */
export interface DatabaseServer {
  readonly port: number;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** The folder of the programs, or undefined where there are none. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin'))
    : [];
  return [...versions, ...path()].find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
}

export function mariadbPrograms(): { readonly install: string; readonly server: string } | undefined {
  const folders = ['/usr/sbin', '/usr/bin', ...path()];
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  const [install, server] = [find('mariadb-install-db'), find('mariadbd')];
  return install && server ? { install, server } : undefined;
}

/** One line, so that a skipped suite is not mistaken for a green one. */
export function skipped(what: string): void {
  process.stdout.write(
    `skipped: ${what} is not installed here (Debian: apt-get install ${what === 'PostgreSQL' ? 'postgresql' : 'mariadb-server'})\n`,
  );
}

function path(): string[] {
  return (process.env.PATH ?? '').split(':').filter(Boolean);
}

export async function startPostgres(programs: string): Promise<DatabaseServer> {
  const folder = await serverFolder('cdk8s-aso-postgres-');
  const data = join(folder.path, 'data');
  const passwordFile = folder.write('password', ADMIN.password);
  folder.run(join(programs, 'initdb'), [
    '-D',
    data,
    '-U',
    ADMIN.user,
    '--pwfile',
    passwordFile,
    '--auth-local=reject',
    '--auth-host=scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  folder.write('data/pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\nhostssl all all ::1/128 scram-sha-256\n');
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: folder.cert,
    ssl_key_file: folder.key,
    log_statement: 'all',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return folder.serve(join(programs, 'postgres'), ['-D', data, ...flags], port, /ready to accept connections/);
}

export async function startMariadb({ install, server }: { readonly install: string; readonly server: string }): Promise<DatabaseServer> {
  const folder = await serverFolder('cdk8s-aso-mariadb-');
  const data = join(folder.path, 'data');
  folder.run(install, [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]);
  // The server runs in a mode in which backslashes are ordinary characters: that is where escaping goes wrong.
  const literal = `'${ADMIN.password.replaceAll("'", "''")}'`;
  const init = folder.write('init.sql', [
    `CREATE USER '${ADMIN.user}'@'%' IDENTIFIED BY ${literal};`,
    `GRANT ALL ON *.* TO '${ADMIN.user}'@'%' WITH GRANT OPTION;`,
    'CREATE USER \'entra admin\'@\'%\' IDENTIFIED BY \'a.token\';',
    'GRANT ALL ON *.* TO \'entra admin\'@\'%\' WITH GRANT OPTION;',
  ].join('\n'));
  const port = await freePort();
  return folder.serve(
    server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--socket=${join(folder.path, 's')}`,
      `--pid-file=${join(folder.path, 'pid')}`,
      '--skip-name-resolve',
      '--require-secure-transport=ON',
      `--ssl-cert=${folder.cert}`,
      `--ssl-key=${folder.key}`,
      `--init-file=${init}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=8M',
      '--sql-mode=NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES',
    ],
    port,
    /ready for connections/,
  );
}

interface Folder {
  readonly path: string;
  readonly cert: string;
  readonly key: string;
  write(name: string, text: string): string;
  run(program: string, args: readonly string[]): void;
  serve(program: string, args: readonly string[], port: number, started: RegExp): Promise<DatabaseServer>;
}

/** `nobody`: servers refuse to run as root. */
const NOBODY = 65_534;

/** A temporary folder of the user whom the server runs as, with its certificate. */
async function serverFolder(prefix: string): Promise<Folder> {
  const certificate = await loopbackCertificate();
  const asRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const own = (file: string) => asRoot && chownSync(file, NOBODY, NOBODY);
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    own(file);
    return file;
  };
  own(folder);
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  own(join(folder, 'data'));
  const command = (program: string, args: readonly string[]): [string, string[]] =>
    asRoot ? ['setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', program, ...args]] : [program, [...args]];
  return {
    path: folder,
    cert: write('cert.pem', certificate.cert + certificate.ca),
    key: write('key.pem', certificate.key),
    write,
    run: (program, args) => {
      const { status, stderr, stdout } = spawnSync(...command(program, args), {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, HOME: folder },
      });
      if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
    },
    serve: async (program, args, port, started) => {
      const log = join(folder, 'log');
      const child = spawn(...command(program, args), {
        cwd: folder,
        env: { ...process.env, HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await running(child, log, started, program);
      return {
        port,
        ca: certificate.ca,
        stop: async () => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
          await ended;
          clearTimeout(hard);
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

function running(child: ChildProcess, log: string, started: RegExp, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      // Only what is needed to tell why it did not start.
      if (said.length > 100_000) said = said.slice(-50_000);
      if (started.test(said)) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${program} ended with ${code}: ${said}${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)),
    );
  });
}
