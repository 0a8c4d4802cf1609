import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { openConversion, type Conversion } from './reviews';
import { Parts } from '../../runtime/webhooks/parts';
import { ConversionFailure, MalformedReviewError, parsed } from '../../runtime/webhooks/review';
import { splitReview } from '../../runtime/webhooks/review-splitter';
import type { Catalog } from '../../src/catalog';

/** Time for which objects are converted before other work gets a turn on the event loop. Milliseconds. */
const LONGEST_TASK_MS = 20;

/**
 * The answer to the bytes of a ConversionReview, in parts: all objects in the requested version, or a failure that names the object that
 * cannot be converted. Objects are parsed and converted one by one, so that besides review and answer at most one is in memory, and a
 * list of thousands does not block other requests.
 *
 * @throws MalformedReviewError
 */
export async function conversionResponse(body: Buffer, mostLevels: number, catalog: Catalog): Promise<readonly Buffer[]> {
  const { frame, elements } = splitReview(body, mostLevels);
  const conversion = openConversion(parsed(frame), catalog);
  if (elements && conversion.objects.length > 0) throw new MalformedReviewError('request.objects is there twice');
  const count = elements?.length ?? conversion.objects.length;
  const objectAt = (index: number): unknown => {
    const range = elements?.[index];
    return range ? parsed(body.toString('utf8', ...range)) : conversion.objects[index];
  };
  try {
    return await converted(conversion, count, objectAt);
  } catch (error) {
    if (error instanceof ConversionFailure) return [Buffer.from(JSON.stringify(conversion.failure(error.message)))];
    throw error;
  }
}

async function converted(conversion: Conversion, count: number, objectAt: (index: number) => unknown): Promise<readonly Buffer[]> {
  const parts = new Parts();
  // `}}` closes the response and the review.
  parts.add(`${JSON.stringify(conversion.success()).slice(0, -2)},"convertedObjects":[`);
  let began = performance.now();
  for (let index = 0; index < count; index += 1) {
    parts.add(`${index === 0 ? '' : ','}${JSON.stringify(conversion.convert(objectAt(index), index))}`);
    if (performance.now() - began < LONGEST_TASK_MS) continue;
    await yieldToEventLoop();
    began = performance.now();
  }
  parts.add(']}}');
  return parts.end();
}
