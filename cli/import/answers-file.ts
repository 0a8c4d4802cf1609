import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { isArmErrorBody } from '../../engine/arm/arm-error';
import type { ArmClient, ArmRequest, ArmResponse } from '../../engine/arm/types';
import { isRecord } from '../../src/util/records';
import { UsageError } from '../output/usage-error';

const FORMAT = 'cdk8s-aso import 1';

/**
 * A client that keeps Azure's answers, in memory and in a file, so that an import that was stopped goes on where it was and a check after
 * it asks nothing twice. Answers that a later try may change (no rights, busy) are not kept; the file has
 * no answer about a resource that was not there.
 *
 * @throws UsageError for a file that is no such one
 */
export function withAnswersFile(client: ArmClient, path: string | undefined): { readonly client: ArmClient; end(): void } {
  const { answers, file } = opened(path);
  if (file !== undefined && answers.size === 0) appendFileSync(file, `${JSON.stringify({ format: FORMAT })}\n`);
  return {
    client: {
      subscriptionId: client.subscriptionId,
      endpoint: client.endpoint,
      send: async (request, signal) => {
        const key = keyOf(request);
        const known = answers.get(key);
        if (known) return known;
        const answer = (await client.send(request, signal)) as ArmResponse;
        if (isKept(answer)) {
          answers.set(key, answer);
          const { status, body } = answer;
          // A resource that is absent today may be there when the import goes on.
          if (file !== undefined && status === 200) appendFileSync(file, `${JSON.stringify({ key, answer: { status, headers: {}, body, text: '' } })}\n`);
        }
        return answer;
      },
    },
    end: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

function opened(path: string | undefined): { readonly answers: Map<string, ArmResponse>; readonly file: number | undefined } {
  if (path === undefined) return { answers: new Map(), file: undefined };
  try {
    return { answers: existsSync(path) ? readAnswers(path) : new Map(), file: openSync(path, 'a', 0o600) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`import: --state ${path} cannot be used: ${(error as Error).message}`);
  }
}

/** A page of a proxy has the status of an answer, too. */
function isKept({ status, body }: ArmResponse): boolean {
  return (status === 200 && isRecord(body)) || (status === 404 && isArmErrorBody(body));
}

function readAnswers(path: string): Map<string, ArmResponse> {
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => line !== '');
  const [head, ...entries] = lines.map(parsed);
  if (lines.length > 0 && (!isRecord(head) || head.format !== FORMAT)) {
    throw new UsageError(`${path} is no file of import --state of this version; remove it, or give another one`);
  }
  // The last line is cut short where the program was killed while it wrote.
  return new Map(entries.filter(isRecord).map(({ key, answer }) => [key as string, answer as ArmResponse]));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function keyOf({ method, url, apiVersion, body }: ArmRequest): string {
  return `${method} ${url.toLowerCase()} ${apiVersion ?? ''}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
}
