import { ENDPOINT, parentOf, refusal, type Answer, type AzureModel, type AzureRequest, type Resource } from './azure-model';
import type { Random } from './random';
import type { RowTraits } from './traits';

const GRAPH = '/providers/microsoft.resourcegraph/resources';
/** Rows of Resource Graph are never older than this. The controller expects five minutes. */
const OLDEST_ROW = 270_000;
/** An older state is shown only by mistake. */
const KEPT = 4;

type Row = Readonly<Record<string, unknown>>;

interface Version {
  readonly at: number;
  /** Undefined: there was no such resource. */
  readonly row: Row | undefined;
}

export interface BatchAnswersOptions extends RowTraits {
  readonly azure: AzureModel;
  readonly random: Random;
  /** Azure's own. */
  readonly now: () => number;
  /** Whether rows may be wrong now, where the run has that at all. */
  readonly mayBeWrong: () => boolean;
}

/** Whether a request asks for many resources at once. */
export function isBatchQuery(method: string, path: string): boolean {
  return path.toLowerCase() === GRAPH || (method === 'GET' && isCollection(path));
}

/** Azure Resource Graph, and lists of collections: rows that come in pages, that lag behind the resources, and do not show all of them. */
export class BatchAnswers {
  /** Resources of which a row was missing or wrong. */
  public readonly misshown = new Set<string>();
  private readonly history = new Map<string, readonly Version[]>();
  private revision = 0;

  public constructor(private readonly options: BatchAnswersOptions) {}

  /** A resource is another one now, or gone. */
  public changed(path: string, resource: Resource | undefined, at: number): void {
    const name = path.toLowerCase();
    const row = resource && this.options.azure.shown(resource);
    const versions = this.history.get(name) ?? [];
    // Enough to know what was there at any time that a row may show, and something of before.
    const recent = versions.findIndex((version) => version.at > at - OLDEST_ROW);
    const from = recent < 0 ? versions.length - 1 : recent - 1;
    this.history.set(name, [...versions.slice(Math.max(from - KEPT, 0)), { at, row }]);
  }

  /** Undefined: the request is not for many resources. */
  public answer(request: AzureRequest): Answer | undefined {
    const { path } = request;
    if (path.toLowerCase() === GRAPH) return this.table(request);
    return request.method === 'GET' && isCollection(path) ? this.list(path, pageOf(request.url)) : undefined;
  }

  private table({ body }: AzureRequest): Answer {
    if (!this.options.graph) return refusal(403, 'AuthorizationFailed', 'The client has no right to ask for this.');
    const { query, options } = body as { readonly query: string; readonly options: { readonly $skipToken?: string } };
    const ids = [...query.matchAll(/'([^']+)'/g)].map(([, id]) => id);
    const rows = ids.flatMap((id) => this.rowOf(id!));
    const [from, to] = this.bounds(Number(options.$skipToken ?? 0));
    return { status: 200, body: { data: rows.slice(from, to), ...(to < rows.length ? { $skipToken: String(to) } : {}) } };
  }

  private list(path: string, first: number): Answer {
    const { azure } = this.options;
    if (!azure.find(parentOf(`${path}/any`)!)) return refusal(404, 'ParentResourceNotFound', `"${path}" has no parent.`);
    const begin = `${path.toLowerCase()}/`;
    const found = [...azure.resources].filter(([name]) => name.startsWith(begin));
    const rows = found.flatMap(([, resource]) => this.dressed(resource.path, azure.shown(resource)));
    const [from, to] = this.bounds(first);
    const next = `${ENDPOINT}${path}?api-version=x&$skiptoken=${to}`;
    return { status: 200, body: { value: rows.slice(from, to), ...(to < rows.length ? { nextLink: next } : {}) } };
  }

  private bounds(from: number): readonly [number, number] {
    return [from, from + this.options.page];
  }

  /** Row of a resource in Resource Graph. */
  private rowOf(id: string): readonly Row[] {
    const { random, now, wrong, mayBeWrong } = this.options;
    const versions = this.history.get(id.toLowerCase()) ?? [];
    const asOf = now() - random.between(0, OLDEST_ROW);
    const current = versions.findLastIndex(({ at }) => at <= asOf);
    const isWrong = wrong && mayBeWrong() && random.chance(0.1);
    if (isWrong) this.misshown.add(id.toLowerCase());
    const row = versions[isWrong ? random.between(-1, current) : current]?.row;
    return row ? this.dressed(id, row) : [];
  }

  /** Rows are spelt in another way than resources, have more members and lack others. */
  private dressed(id: string, { systemData: _, properties, ...row }: Row): readonly Row[] {
    const { wrong, mayBeWrong, random, restless } = this.options;
    if (wrong && mayBeWrong() && random.chance(0.05)) {
      this.misshown.add(id.toLowerCase());
      return [];
    }
    const { storage: __, ...shown } = properties as Row;
    const revision = restless ? { revision: (this.revision += 1) } : {};
    const group = id.split('/')[4];
    return [
      {
        zones: null,
        identity: null,
        resourceGroup: group!.toLowerCase(),
        ...row,
        id: id.toUpperCase(),
        properties: { ...shown, ...revision },
      },
    ];
  }
}

/** A path that ends with a type. */
function isCollection(path: string): boolean {
  return /\/(federatedidentitycredentials|subnets|routes|inboundnatrules)$/i.test(path);
}

function pageOf(url: string): number {
  return Number(/\$skiptoken=(\d+)/.exec(url)?.[1] ?? 0);
}
