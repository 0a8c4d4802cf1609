import { elect, type ElectOptions } from './elect';
import type { Supervision } from './supervision';
import { serveHealth } from '../../runtime/http/health';
import type { EndpointOptions } from '../process/endpoints';

/** Supervises on the controller's own thread, for programs that run a controller in their process. */
export function superviseInProcess(options: EndpointOptions & ElectOptions): Supervision {
  return {
    serveHealth: (notReady) => serveHealth(options, { notLive: () => undefined, notReady }),
    lead: (signal) => elect(options, signal),
    close: async () => undefined,
  };
}
