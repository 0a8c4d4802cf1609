import type { PipelineRequest, PipelineResponse } from '@azure/core-rest-pipeline';
import { ArmHttp } from './arm-http';
import type { RuleMistake } from './mistakes-of-rules';
import { replaced } from './replaced';
import { isRecord } from '../../src/util/records';

type Json = Readonly<Record<string, unknown>>;

/** A reader that takes more for Azure's answer than it should is one that gets such answers in the form in which Azure gives them. */
function readsAs(change: (path: string, answer: PipelineResponse, body: unknown) => Json | undefined): RuleMistake['around'] {
  return () => replaced(ArmHttp.prototype, 'sendRequest', (real) => async function sendRequest(this: ArmHttp, request: PipelineRequest) {
    const answer = await real.call(this, request);
    const path = decodeURIComponent(new URL(request.url).pathname);
    if (request.method !== 'GET' || path.startsWith('/operations/')) return answer;
    const read = change(path, answer, parsed(answer.bodyAsText));
    return read ? { ...answer, bodyAsText: JSON.stringify(read) } : answer;
  });
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}


/** Mistakes about what counts as an answer of Azure. */
export const ANSWER_MISTAKES: Readonly<Record<string, RuleMistake>> = {
  'a 200 that is no resource counts as an empty one': {
    says: /deletes .*, which is|exported while|PUT \(|Azure has the tags/,
    around: readsAs((path, { status }, body) => (status === 200 && !isRecord(body) ? { id: path, properties: {} } : undefined)),
  },

  'a 200 of another resource is trusted': {
    says: /exported while|PUT \(|the status has|another principal/,
    around: readsAs((path, { status }, body) => {
      const isList = isRecord(body) && body.value !== undefined;
      return status === 200 && isRecord(body) && !isList && body.id !== path ? { ...body, id: path } : undefined;
    }),
  },

  'any 404 says that there is no resource': {
    says: /left behind/,
    around: readsAs((_, { status }, body) =>
      status === 404 && !isRecord(body) ? { error: { code: 'ResourceNotFound', message: 'not found' } } : undefined,
    ),
  },
};
