import type { Answer, AzureModel, AzureRequest } from './azure-model';
import type { Random } from './random';

const PAGE = '<!DOCTYPE html><html><title>Sign in to continue</title></html>';

/**
 * Answers in the place of Azure's: pages of proxies, nothing at all, half of the answer, the answer to somebody else. With
 * `answer`
 * Azure has taken the request. Nothing here could come from Azure itself: an empty 200 to a DELETE could.
 */
export function garbled({ method, path }: AzureRequest, answer: Answer | undefined, azure: AzureModel, random: Random): Answer {
  const pages: Answer[] = [200, 404, 404, 502, 503].map((status) => ({ status, text: PAGE }));
  const isRead = method === 'GET';
  const empty: Answer[] = isRead
    ? [
      { status: 200, text: '' },
      { status: 404, text: '' },
      { status: 200, text: 'null' },
      { status: 200, text: '[]' },
    ]
    : [];
  const other =
    isRead && !path.startsWith('/operations/')
      ? [...azure.resources.values()].find((resource) => resource.path.toLowerCase() !== path.toLowerCase())
      : undefined;
  const foreign: Answer[] = other
    ? [
      { status: 200, body: azure.shown(other) },
      { status: 200, body: {} },
    ]
    : [];
  const whole = answer?.body === undefined ? '' : JSON.stringify(answer.body);
  const cut: Answer[] = whole.length > 2 ? [{ status: answer!.status, text: whole.slice(0, Math.floor(whole.length / 2)) }] : [];
  return random.pick([...pages, ...empty, ...foreign, ...cut]);
}
