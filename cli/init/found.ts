import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { packageName } from '../app/typescript-app';
import { UsageError } from '../output/usage-error';

/** The facts that the files are made of: those that the user has said, and those that could be found out. */
export interface AppFacts {
  /** A name that npm and Kubernetes take: `shop`. */
  readonly name: string;
  /** `Shop` */
  readonly className: string;
  readonly location: string;
  /** A name for a storage account that nobody has yet, as far as chance goes. */
  readonly accountName: string;
  /** The address of the Git repository for a GitOps tool; undefined where there is no remote. */
  readonly repository?: string | undefined;
  /** The branch that a GitOps tool follows. */
  readonly branch: string;
}

const MAX_NAME = 63;
const MAX_ACCOUNT_NAME = 24;
const RANDOM_BYTES = 4;
const FALLBACK_LOCATION = 'uksouth';

/** The facts that the user has said. */
export interface GivenFacts {
  readonly name?: string | undefined;
  readonly location?: string | undefined;
}

/** @throws UsageError for a name or a region that cannot be one */
export function factsOf(directory: string, given: GivenFacts, environment: NodeJS.ProcessEnv = process.env): AppFacts {
  const name = nameOf(given.name, directory);
  const location = given.location?.toLowerCase().replaceAll(' ', '') ?? configuredLocation(environment) ?? FALLBACK_LOCATION;
  if (!/^[a-z][a-z0-9]{2,40}$/.test(location)) throw new UsageError(`--location ${given.location}: give a region, e.g. westeurope`);
  const random = randomBytes(RANDOM_BYTES).toString('hex');
  return {
    name,
    className: classNameOf(name),
    location,
    accountName: name.replace(/[^a-z0-9]/g, '').slice(0, MAX_ACCOUNT_NAME - random.length) + random,
    repository: webAddress(git(directory, 'remote', 'get-url', 'origin')),
    branch: git(directory, 'symbolic-ref', '--short', 'HEAD') ?? 'main',
  };
}

function nameOf(asked: string | undefined, directory: string): string {
  if (asked === undefined) return packageName(basename(directory)).slice(0, MAX_NAME).replace(/-$/, '');
  if (asked.length <= MAX_NAME && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(asked)) return asked;
  throw new UsageError(`--name ${asked}: give lower case letters, digits and hyphens, at most ${MAX_NAME}`);
}

function classNameOf(name: string): string {
  const words = name.split('-').filter((word) => word !== '').map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[0-9]/.test(words) ? `App${words}` : words;
}

/** The region that `az config set defaults.location` keeps. */
function configuredLocation(environment: NodeJS.ProcessEnv): string | undefined {
  const file = join(environment.AZURE_CONFIG_DIR ?? join(homedir(), '.azure'), 'config');
  try {
    return /^[ \t]{0,99}location[ \t]{0,99}=[ \t]{0,99}([a-z][a-z0-9]{1,60})[ \t]{0,99}$/m.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined; // az is not there, or was never used
  }
}

/** The answer of git, in a directory that may not be there yet; undefined without git or a repository. */
function git(directory: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/**
 * The address of a remote for a GitOps tool, without a user or a password: `git@host:owner/name.git` is `https://host/owner/name`. A remote
 * that is written in another way is none: it may have a secret in an odd place, and the address stands in a file that is committed.
 */
function webAddress(remote: string | undefined): string | undefined {
  const found = /^(?:(?:https?|ssh):\/\/(?:[^@/]*@)?(?<host>[\w.-]+)(?::\d+)?\/|(?:[\w.-]+@)?(?<other>[\w-]+(?:\.[\w-]+)+):)(?<path>[\w.~/-]+?)(?:\.git)?\/?$/.exec(remote ?? '');
  const host = found?.groups?.host ?? found?.groups?.other;
  return host === undefined ? undefined : `https://${host}/${found!.groups!.path}`;
}
