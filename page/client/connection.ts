import type { WireDelta, WireDetail, WirePlan, WireSnapshot } from '../wire';

/** The server does not know the token: it is another run of the command. */
export class NotAllowed extends Error {}

export interface Follower {
  /** Everything, at the beginning and after a restart of the server. */
  snapshot(snapshot: WireSnapshot): void;
  delta(delta: WireDelta): void;
  /** The server has said something: what is shown is what it knows. */
  heard(): void;
  /** There is no connection, for this reason. */
  lost(why: string): void;
  notAllowed(why: string): void;
}

const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The server gives a sign of life every 10 s. */
const SILENCE_MS = 25_000;

interface Message {
  readonly event: string;
  readonly data: string;
}

/** The connection to the server. It comes back by itself, and goes on with what has changed meanwhile. */
export class ServerConnection {
  private known: { readonly epoch: string; readonly version: number } | undefined;
  private wake: (() => void) | undefined;
  private running = new AbortController();

  public constructor(private readonly follower: Follower, private token: string) {}

  public useToken(token: string): void {
    this.token = token;
    this.retry();
  }

  /** Ends a wait between two tries. */
  public retry(): void {
    this.wake?.();
  }

  /** Follows the server until the page is closed. */
  public async follow(): Promise<void> {
    let wait = SHORTEST_WAIT_MS;
    for (;;) {
      try {
        await this.once(() => {
          wait = SHORTEST_WAIT_MS;
        });
        this.follower.lost('the server has ended the connection');
      } catch (error) {
        if (error instanceof NotAllowed) {
          this.follower.notAllowed(error.message);
          // Nothing changes before there is another token.
          wait = Infinity;
        } else {
          this.follower.lost(error instanceof TypeError ? 'the server does not answer' : (error as Error).message);
        }
      }
      await this.sleep(wait);
      wait = Number.isFinite(wait) ? Math.min(wait * 2, LONGEST_WAIT_MS) : SHORTEST_WAIT_MS;
    }
  }

  /** One object; undefined: it is gone. */
  public detail(key: string, signal: AbortSignal): Promise<WireDetail | undefined> {
    return this.json<WireDetail>(`api/object?key=${encodeURIComponent(key)}`, signal);
  }

  public plan(key: string, signal: AbortSignal): Promise<WirePlan | undefined> {
    return this.json<WirePlan>(`api/plan?key=${encodeURIComponent(key)}`, signal);
  }

  private async once(isBack: () => void): Promise<void> {
    this.running = new AbortController();
    if (!this.known) {
      const snapshot = await this.json<WireSnapshot>('api/snapshot', this.running.signal);
      if (!snapshot) throw new Error('the server is still reading the cluster');
      this.known = { epoch: snapshot.epoch, version: snapshot.version };
      this.follower.snapshot(snapshot);
      this.follower.heard();
      isBack();
    }
    const { epoch, version } = this.known;
    const response = await this.fetch(`api/changes?epoch=${encodeURIComponent(epoch)}&version=${version}`, this.running.signal);
    for await (const message of this.messages(response)) {
      isBack();
      if (message.event === 'reset') {
        // Another run of the server, or too long ago.
        this.known = undefined;
        return this.once(isBack);
      }
      if (message.event === 'delta') {
        const delta = JSON.parse(message.data) as WireDelta;
        this.known = { epoch, version: delta.version };
        this.follower.delta(delta);
      }
      this.follower.heard();
    }
  }

  private async fetch(path: string, signal: AbortSignal): Promise<Response> {
    const response = await fetch(path, { headers: { authorization: `Bearer ${this.token}` }, cache: 'no-store', signal });
    if (response.status === 401 || response.status === 403) throw new NotAllowed((await response.text()).trim());
    return response;
  }

  private async json<T>(path: string, signal: AbortSignal): Promise<T | undefined> {
    const response = await this.fetch(path, signal);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error((await response.text()).trim());
    return await response.json() as T;
  }

  /** The messages of server-sent events. EventSource could not send the token. */
  private async* messages(response: Response): AsyncGenerator<Message> {
    if (!response.ok || !response.body) throw new Error((await response.text()).trim() || `status ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { done, value } = await this.soon(reader.read());
        if (done) return;
        const parts = `${rest}${value}`.split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) yield messageOf(part);
      }
    } finally {
      reader.cancel().catch(() => undefined);
      this.running.abort();
    }
  }

  private async soon<T>(promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the server is silent')), SILENCE_MS);
    });
    try {
      return await Promise.race([promise, silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  private sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined;
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function messageOf(text: string): Message {
  const lines = text.split('\n');
  const member = (name: string) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join('\n');
  return { event: member('event'), data: member('data') };
}
