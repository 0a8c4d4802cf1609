import { setMaxListeners } from 'node:events';

/** A signal that aborts with its parent and that hundreds of informers may listen to. */
export function followed(parent: AbortSignal): AbortSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const follow = () => own.abort(parent.reason);
  parent.addEventListener('abort', follow, { once: true });
  if (parent.aborted) follow();
  return own.signal;
}
