import { elect, type ElectOptions } from './elect';
import type { Supervision } from './supervision';
import type { EndpointOptions } from '../process/endpoints';
import { serveHealth } from '../process/health';

/** On the thread of the controller, for programs that run one in their own process. */
export function superviseInProcess(options: EndpointOptions & ElectOptions): Supervision {
  return {
    serveHealth: (notReady) => serveHealth(options, { notLive: () => undefined, notReady }),
    lead: (signal) => elect(options, signal),
    close: async () => undefined,
  };
}
