import type { Contrary } from './contrary';
import type { Answer } from '../model/answer';
import type { OperationStyle } from '../model/behaviour';
import type { Operation } from '../model/operations';
import type { Json } from '../model/store';

/**
 * How the URL of an operation answers. Each was recorded; `gone`: https://github.com/Azure/azure-sdk-for-go/pull/19385,
 * https://github.com/Azure/go-autorest/issues/596
 */
export interface Ending {
  readonly name: string;
  readonly style: OperationStyle;
  /** While it runs; absent: as the simulator always does. */
  readonly running?: (operation: Operation, turn: number) => Partial<Answer>;
  /** When it has ended well, with the resource, unless it was deleted. Absent: as the simulator always does. */
  readonly succeeded?: (operation: Operation, resource: Json | undefined) => Answer;
  /** When it has failed. Absent: as the simulator always does. */
  readonly failed?: (operation: Operation) => Answer;
}

const GONE: Answer = { status: 404, body: { error: { code: 'OperationNotFound', message: 'The operation could not be found.' } } };

const status = (text: string, more: object = {}): Answer => ({ status: 200, body: { status: text, ...more } });
const failure = ({ failure: failed }: Operation): Answer =>
  status(failed?.state ?? 'Failed', { error: failed && { code: failed.code, message: failed.message } });

const ENDINGS: readonly Ending[] = [
  {
    name: 'status alone',
    style: 'azure-asyncoperation',
    running: () => status('InProgress'),
    succeeded: () => status('Succeeded'),
    failed: failure,
  },
  {
    name: 'own words while it runs, with an error that is null',
    style: 'azure-asyncoperation',
    running: ({ guid }, turn) => ({
      status: 200,
      headers: {},
      body: { name: guid, status: ['Running', 'Pending', 'CreatingAgentPool: 0/1 nodes completed'][turn % 3], error: null },
    }),
    succeeded: ({ guid }) => status('Succeeded', { name: guid, error: null }),
  },
  {
    name: '202 while it runs, the resource at its end',
    style: 'azure-asyncoperation',
    running: () => ({ status: 202, body: { status: 'InProgress' } }),
    succeeded: ({ guid }, resource) => status('Succeeded', { name: guid, properties: resource?.properties ?? null, percentComplete: 100 }),
  },
  { name: 'gone', style: 'azure-asyncoperation', succeeded: () => GONE, failed: () => GONE },
  { name: '200 without a body', style: 'location', succeeded: () => ({ status: 200 }) },
  { name: '204', style: 'location', succeeded: () => ({ status: 204 }) },
  { name: '200 with a status', style: 'location', succeeded: () => status('Succeeded'), failed: failure },
  { name: 'gone', style: 'location', succeeded: () => GONE, failed: () => GONE },
];

/** The name of the ending that a seed has for an operation; undefined: as always. */
export function drawEnding(contrary: Contrary | undefined, style: OperationStyle, guid: string): string | undefined {
  const [first, ...others] = ENDINGS.filter((ending) => ending.style === style).map(({ name }) => name);
  return first !== undefined && contrary?.does('endings', guid) ? contrary.pick([first, ...others], 'ending', guid) : undefined;
}

/** The ending of an operation at a URL of this style; undefined: as always. */
export function endingAt(style: OperationStyle, operation: Operation): Ending | undefined {
  return ENDINGS.find((ending) => ending.style === style && operation.style === style && ending.name === operation.ending);
}

/** Whether an answer leads to the state of the operation alone, and not to its result. */
export function leavesLocationOut(contrary: Contrary | undefined, guid: string): boolean {
  return contrary?.does('endings', 'headers', guid) === true;
}
