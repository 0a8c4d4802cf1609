/** A request to Azure Resource Manager, as `/__requests` shows it. */
export interface LoggedRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly apiVersion: string;
  /** The client id of the token: whose credential it was. Absent where the token was refused. */
  client?: string;
  /** Absent while the answer is still outstanding, 0 when the connection was dropped. */
  status?: number | undefined;
  /** Whether it made a resource that did not exist. */
  created?: boolean;
  /** Whether it asked for the state of a long-running operation. */
  poll?: boolean;
}

export interface RequestCounts {
  readonly total: number;
  readonly byMethod: Record<string, number>;
  /** How many of the GETs asked for the state of a long-running operation. */
  readonly polls: number;
}

const KEPT = 20_000;

/** Counts all requests and remembers the last ones. */
export class RequestLog {
  private readonly entries: LoggedRequest[] = [];
  private readonly byMethod = new Map<string, number>();
  private total = 0;
  private polls = 0;

  public begin(entry: LoggedRequest): LoggedRequest {
    this.total += 1;
    this.byMethod.set(entry.method, (this.byMethod.get(entry.method) ?? 0) + 1);
    if (entry.poll) this.polls += 1;
    this.entries.push(entry);
    if (this.entries.length > KEPT) this.entries.shift();
    return entry;
  }

  public counts(): RequestCounts {
    return { total: this.total, byMethod: Object.fromEntries([...this.byMethod].sort()), polls: this.polls };
  }

  public list(): readonly LoggedRequest[] {
    return this.entries;
  }
}
