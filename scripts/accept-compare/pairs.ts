import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { Catalog, type KindVersion } from '../../src/catalog';
import { parseApiVersion } from '../../src/object-id';
import { isRecord } from '../../src/util/records';

/** A request that succeeded, and how Azure then showed the resource. */
export interface Pair {
  readonly caseName: string;
  readonly kind: string;
  readonly version: KindVersion;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

interface Case {
  readonly manifests: readonly { readonly apiVersion: string; readonly kind: string }[];
  readonly traffic: readonly Exchange[];
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly body?: string;
  readonly response?: string;
}

/** The pairs of all cases of a directory. */
export function pairsIn(directory: string): Pair[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => pairsOf(file.slice(0, -'.json'.length), JSON.parse(readFileSync(join(directory, file), 'utf8')) as Case));
}

/** Each PUT that succeeded with the next GET of the same resource, where neither another PUT nor a DELETE came between. */
function pairsOf(caseName: string, { manifests, traffic }: Case): Pair[] {
  const versions = new Map(manifests.flatMap(({ apiVersion, kind }): [string, KindVersion][] => {
    const { group, version: name } = parseApiVersion(apiVersion);
    const version = Catalog.default().kind(group, kind)?.version(name);
    return version?.facts.arm ? [[`${version.facts.arm.type}@${version.facts.arm.apiVersion}`.toLowerCase(), version]] : [];
  }));
  return traffic.flatMap((put, index) => {
    if (put.method !== 'PUT' || put.status >= 300) return [];
    const version = versions.get(`${typeOf(put.path)}@${/api-version=([^&]+)/.exec(put.query)?.[1]}`.toLowerCase());
    const get = nextGet(put, traffic.slice(index + 1));
    const body = read(put.body), answer = read(get?.response);
    return version && get && isRecord(body) && isRecord(answer) ? [{ caseName, kind: version.kind.kind, version, body, answer }] : [];
  });
}

function nextGet(put: Exchange, later: readonly Exchange[]): Exchange | undefined {
  const own = put.path.toLowerCase();
  for (const exchange of later) {
    const path = exchange.path.toLowerCase();
    if (exchange.method === 'DELETE' && own.startsWith(path)) return undefined;
    if (exchange.method === 'PUT' && path === own) return undefined;
    if (exchange.method === 'GET' && path === own && exchange.status === 200 && exchange.query === put.query) return exchange;
  }
  return undefined;
}

function typeOf(path: string): string {
  const own = path.split('/providers/').at(-1)!.split('/');
  if (!path.includes('/providers/')) return 'Microsoft.Resources/resourceGroups';
  return [own[0], ...own.slice(1).filter((_, index) => index % 2 === 0)].join('/');
}

function read(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
