/** A client as small as the tests need it. */
export interface Reply {
  readonly code: number;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly headers: Headers;
}

export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: response.headers };
}

export interface WatchEvent {
  readonly type: string;
  readonly object: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** The events of a watch, until it ends or `enough` of them have come. */
export async function watchEvents(
  url: string, path: string, enough: (events: WatchEvent[]) => boolean, meanwhile?: () => Promise<unknown>, accept?: string,
): Promise<WatchEvent[]> {
  const abort = new AbortController();
  const response = await fetch(url + path, { signal: abort.signal, ...(accept !== undefined && { headers: { Accept: accept } }) });
  const doing = meanwhile?.();
  const events: WatchEvent[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as WatchEvent));
    if (enough(events)) break;
  }
  abort.abort();
  await doing;
  return events;
}

/** Waits for something that happens in the background. */
export async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (holds(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
