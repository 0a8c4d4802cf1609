import type { KubernetesObject } from '../../engine/kubernetes';
import { Parts } from '../../runtime/webhooks/parts';
import { ConversionFailure, MalformedReviewError, objectOf, openReview, parsed, textIn } from '../../runtime/webhooks/review';
import { splitReview } from '../../runtime/webhooks/review-splitter';
import { groupOf, objectTitleOf, versionNameOf } from '../../src/object-id';
import { type JsonObject, ownMember } from '../../src/util/records';
import { asText } from '../../src/util/words';
import { safeText } from '../apply/failures';
import type { ApiFacts } from '../definition/api-facts';
import type { Renderer } from '../render/renderer';

/** Objects of one job of the threads, and their bytes: a list of thousands is neither one value in memory nor one long job. */
const BATCH = { objects: 100, bytes: 1_000_000 } as const;

type Convert = Pick<Renderer, 'convert'>;
type Facts = Pick<ApiFacts, 'group' | 'kind' | 'versions'>;

/**
 * The answer to the bytes of a ConversionReview, in parts: all claims in the requested version, or a failure that names the one that cannot
 * be converted. Only `spec` differs between versions.
 *
 * @throws MalformedReviewError, and errors of the renderer
 */
export async function conversionAnswer(
  body: Buffer, mostLevels: number, facts: readonly Facts[], renderer: Convert,
): Promise<readonly Buffer[]> {
  const { frame, elements = [] } = splitReview(body, mostLevels);
  const { apiVersion, request } = openReview(parsed(frame), 'ConversionReview', 'apiextensions.k8s.io/v1');
  const [uid, wanted] = [textIn(request, 'uid', 'request'), textIn(request, 'desiredAPIVersion', 'request')];
  if (!Array.isArray(ownMember(request, 'objects'))) throw new MalformedReviewError('request.objects is no list');
  const answer = (response: JsonObject) => ({ apiVersion, kind: 'ConversionReview', response: { uid, ...response } });
  const parts = new Parts();
  // `}}` closes the response and the review.
  parts.add(`${JSON.stringify(answer({ result: { status: 'Success' } })).slice(0, -2)},"convertedObjects":[`);
  try {
    let done = 0;
    for (const batch of batchesOf(elements)) {
      const objects = batch.map(([start, end], index) => objectOf(parsed(body.toString('utf8', start, end)), `request.objects[${done + index}]`));
      for (const object of await converted(objects, wanted, facts, renderer)) {
        parts.add(`${done === 0 ? '' : ','}${JSON.stringify(object)}`);
        done += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof ConversionFailure)) throw error;
    return [Buffer.from(JSON.stringify(answer({ result: { status: 'Failure', message: error.message } })))];
  }
  parts.add(']}}');
  return parts.end();
}

type Range = readonly [start: number, end: number];

function batchesOf(elements: readonly Range[]): Range[][] {
  const batches: Range[][] = [];
  let bytes = Infinity;
  for (const [start, end] of elements) {
    const last = batches.at(-1);
    bytes += end - start;
    if (last && last.length < BATCH.objects && bytes <= BATCH.bytes) {
      last.push([start, end]);
    } else {
      batches.push([[start, end]]);
      bytes = end - start;
    }
  }
  return batches;
}

/** The objects in the wanted version. A list may have several kinds of versions. */
async function converted(
  objects: readonly KubernetesObject[], wanted: string, facts: readonly Facts[], renderer: Convert,
): Promise<KubernetesObject[]> {
  const result: KubernetesObject[] = [];
  const to = wanted.split('/')[1] ?? '';
  for (let index = 0; index < objects.length;) {
    const { apiVersion, kind } = objects[index]!;
    const next = objects.findIndex((one, at) => at > index && (one.apiVersion !== apiVersion || one.kind !== kind));
    const run = objects.slice(index, next < 0 ? undefined : next);
    index += run.length;
    result.push(...(apiVersion === wanted ? run : await convertedRun(run, to, wanted, facts, renderer)));
  }
  return result;
}

async function convertedRun(
  objects: readonly KubernetesObject[], to: string, wanted: string, facts: readonly Facts[], renderer: Convert,
): Promise<KubernetesObject[]> {
  const [first] = objects;
  const { kind, apiVersion } = first!;
  const group = groupOf(first!);
  const from = versionNameOf({ apiVersion });
  const definition = facts.find((one) => one.group === group && one.kind === kind);
  const isKnown = (name: string) => definition?.versions.some((one) => one.name === name) === true;
  const failure = (object: KubernetesObject, why: string) => {
    const namespace = asText(object.metadata.namespace ?? '');
    const title = objectTitleOf({ kind: object.kind, namespace, name: asText(object.metadata.name) });
    return new ConversionFailure(safeText(`cannot convert ${title} from ${apiVersion} to ${wanted}: ${why}`));
  };
  if (wanted.split('/')[0] !== group || !isKnown(from) || !isKnown(to)) {
    throw failure(first!, 'this revision of the definition does not have both versions');
  }
  const specs = objects.map(({ spec }) => spec ?? {});
  const results = await renderer.convert({ group, kind, from, to, specs, namespace: `conversion of ${kind}` });
  return objects.map((object, index) => {
    const { spec, problem } = results[index]!;
    if (problem) throw failure(object, problem.reason === 'InvalidSpec' ? 'a member has a name that it must not have' : problem.message);
    return { ...object, apiVersion: wanted, spec: spec as Record<string, unknown> };
  });
}
