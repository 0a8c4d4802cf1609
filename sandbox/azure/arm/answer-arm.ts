import { act } from './actions';
import { hasTarget, parseArmPath, targetOf } from './arm-path';
import { AzureError, methodNotAllowed } from './errors';
import { read } from './reads';
import { deleteResource, patchResource, putResource } from './writes';
import { textOf, type Fault } from '../http/faults';
import type { Answer } from '../model/answer';
import { settle, type ArmCall, type Simulation } from '../model/simulation';

const API_VERSION = /^\d{4}-\d{2}-\d{2}(-[a-z][a-z0-9.-]*)?$/i;

/** Azure Resource Manager: the answer to one request with a valid token. Errors are answers, too. */
export function answerArm(simulation: Simulation, method: string, url: URL, text: string, fault?: Fault): Answer {
  try {
    settle(simulation);
    const apiVersion = url.searchParams.get('api-version');
    if (!apiVersion) {
      throw new AzureError(
        400,
        'MissingApiVersionParameter',
        'The api-version query parameter (?api-version=) is required for all requests.',
      );
    }
    if (!API_VERSION.test(apiVersion)) {
      throw new AzureError(
        400,
        'InvalidApiVersionParameter',
        `The api-version '${apiVersion}' is invalid. It has the form YYYY-MM-DD or YYYY-MM-DD-preview.`,
      );
    }
    if (fault?.status !== undefined) return faultAnswer(fault);
    return dispatch(simulation, { method, path: parseArmPath(url.pathname), query: url.searchParams, apiVersion, text, fault });
  } catch (error) {
    if (error instanceof AzureError) return { status: error.status, body: error.body, headers: error.headers };
    throw error;
  }
}

function dispatch(simulation: Simulation, call: ArmCall): Answer {
  const { nodes, tail } = call.path;
  if (call.method === 'GET' || call.method === 'HEAD') return read(simulation, call);
  if (call.method === 'POST') return act(simulation, call);
  if (!hasTarget(nodes) || tail.length > 0) throw methodNotAllowed(call.method, call.path.tail.join('/'));
  const resourceCall = { ...call, path: { nodes, tail } };
  if (call.method === 'PUT') return putResource(simulation, resourceCall);
  if (call.method === 'PATCH') return patchResource(simulation, resourceCall);
  if (call.method === 'DELETE') return deleteResource(simulation, resourceCall);
  throw methodNotAllowed(call.method, targetOf(nodes).id);
}

function faultAnswer(fault: Fault): Answer {
  const { code, message } = textOf(fault);
  const headers: Record<string, string> = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
  return { status: fault.status!, headers: { ...headers, ...fault.headers }, body: { error: { code, message } } };
}
