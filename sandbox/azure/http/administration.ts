import { invalidFault, type Fault } from './faults';
import { invalidDrain, type Drain } from './limits';
import { presented } from '../arm/answers';
import type { Answer } from '../model/answer';
import { settle, type Simulation } from '../model/simulation';
import type { Json } from '../model/store';

/** The simulator's own endpoints: what was asked of it, what exists in it, what shall go wrong. */
export function answerAdministration(simulation: Simulation, method: string, path: string, text: string): Answer | undefined {
  if (!path.startsWith('/__')) return undefined;
  if (path === '/__requests' && method === 'GET') {
    return { status: 200, body: { ...simulation.log.counts(), requests: simulation.log.list() } };
  }
  if (path === '/__resources' && method === 'GET') return { status: 200, body: { value: resourcesOf(simulation) } };
  if (path === '/__faults') return faults(simulation, method, text);
  if (path === '/__limits') return limits(simulation, method, text);
  return {
    status: 404,
    body: { error: { code: 'NotFound', message: 'The sandbox has /__requests, /__resources, /__faults and /__limits.' } },
  };
}

export function resourcesOf(simulation: Simulation): Json[] {
  settle(simulation);
  return simulation.store.all().map((resource) => presented(simulation, resource));
}

/** GET shows what is left, POST lets somebody else use it up. */
function limits(simulation: Simulation, method: string, text: string): Answer {
  if (method === 'GET') return { status: 200, body: { value: simulation.limits.list(), providers: simulation.providerLimits.list() } };
  if (method !== 'POST') return { status: 405 };
  const drain = parsed(text);
  const wrong = drain === undefined ? 'the content is not valid JSON' : invalidDrain(drain);
  if (wrong) return { status: 400, body: { error: { code: 'InvalidDrain', message: wrong } } };
  simulation.limits.drain(drain as Drain);
  return { status: 200, body: { value: simulation.limits.list() } };
}

function faults(simulation: Simulation, method: string, text: string): Answer {
  if (method === 'DELETE') {
    simulation.faults.clear();
    return { status: 204 };
  }
  if (method === 'GET') return { status: 200, body: { value: simulation.faults.list() } };
  if (method !== 'POST') return { status: 405 };
  const value = parsed(text);
  const wrong = value === undefined ? 'the content is not valid JSON' : invalidFault(value);
  if (wrong) return { status: 400, body: { error: { code: 'InvalidFault', message: wrong } } };
  simulation.faults.add(value as Fault);
  return { status: 201, body: { value: simulation.faults.list() } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
