import { serve, type Answer, type Endpoint } from './http-endpoints';

export interface Health {
  /** Why the process has to be restarted; undefined: it has not. */
  readonly notLive: () => string | undefined;
  /** The reason why the process is not ready; undefined: it is ready. */
  readonly notReady: () => string | undefined;
}

/** Probes. */
export async function serveHealth(
  { healthAddr }: { readonly healthAddr?: string | undefined },
  { notLive, notReady }: Health,
): Promise<Endpoint[]> {
  if (!healthAddr || healthAddr === '0') return [];
  return [await serve('--health-addr', healthAddr, {
    '/healthz': () => answerOf('not live', notLive()),
    '/readyz': () => answerOf('not ready', notReady()),
  })];
}

function answerOf(what: string, why: string | undefined): Answer {
  return why === undefined ? [200, 'text/plain', 'ok\n'] : [503, 'text/plain', `${what}: ${why}\n`];
}
