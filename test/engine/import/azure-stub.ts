import { ArmError, type ArmClient, type ArmRequest, type ArmResponse } from '../../../engine/arm/types';

export const GROUP = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop';
export const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/data`;

type Answer = { readonly status: number; readonly body: unknown };

/** An Azure that has resources by id, lists what is directly below one, and answers some paths otherwise. */
export class AzureStub implements Pick<ArmClient, 'send'> {
  public readonly requests: ArmRequest[] = [];

  public constructor(
    private readonly resources: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    private readonly others: Readonly<Record<string, (request: ArmRequest) => Answer>> = {},
  ) {}

  public async send(request: ArmRequest): Promise<ArmResponse> {
    this.requests.push(request);
    const path = request.url.split('?')[0]!.toLowerCase();
    const other = Object.entries(this.others).find(([key]) => key.toLowerCase() === path);
    const { status, body } = other ? other[1](request) : this.answer(path);
    if (status === 0) throw new ArmError('NoAnswer', 'nobody is there');
    return { status, headers: { 'content-type': 'application/json' }, body, text: JSON.stringify(body) };
  }

  private answer(path: string): Answer {
    const all = Object.entries(this.resources).map(([id, body]) => ({ ...body, id }));
    const found = all.find(({ id }) => id.toLowerCase() === path);
    if (found) return { status: 200, body: found };
    const depth = path.split('/').length + 1;
    const below = path.endsWith('/resources')
      ? all.filter(({ id }) => id.toLowerCase().startsWith(`${path.slice(0, -'resources'.length)}providers/`) && id.split('/').length === depth + 2)
      : all.filter(({ id }) => id.toLowerCase().startsWith(`${path}/`) && id.split('/').length === depth);
    if (below.length > 0 || path.split('/').length % 2 === 0) return { status: 200, body: { value: below } };
    return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'was not found' } } };
  }
}

export function refusal(status: number, code: string, message = 'no'): () => Answer {
  return () => ({ status, body: { error: { code, message } } });
}
