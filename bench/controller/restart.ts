import { countOf, objectsOf, perObject, round, wait, type Bench, type Row } from './bench';
import { controllerName } from '../../controller/reconcile/object-key';
import type { KubernetesObject } from '../../engine/kubernetes';
import { textBefore } from '../../src/util/text-before';

const TIMEOUT_SECONDS = 1800;

/** A new process finds everything in its wanted state: when has it looked at all of it, and what did it send? */
export async function restart(bench: Bench, environment: Readonly<Record<string, string>> = {}): Promise<Row[]> {
  const { environment: env, controller } = bench;
  const objects = objectsOf(bench.teams);
  await controller.stop();
  const before = (await env.requests()).length;
  const begun = Date.now();
  const listed = await controller.start(environment);
  await confirmed(bench);
  const seconds = (Date.now() - begun) / 1000;
  const requests = await env.requests(before);
  const { cpuSeconds, peakMiB } = controller.usage();
  return [
    { what: 'after a restart, everything listed after, s', value: round(listed / 1000) },
    { what: 'after a restart, all statuses confirmed after, s', value: round(seconds), aim: '≤ 300' },
    { what: '… PUTs', value: countOf(requests, 'PUT'), aim: '0' },
    { what: '… ARM requests per object', value: perObject(requests, objects.length) },
    { what: '… CPU s', value: round(cpuSeconds) },
    { what: '… most memory, MiB', value: round(peakMiB), aim: '256' },
  ];
}

/** Waits until the controller has said of each object that it looked at it, since it started. */
export async function confirmed(bench: Bench): Promise<void> {
  const { controller } = bench;
  const names = objectsOf(bench.teams).map(reconcileName);
  const left = new Set(names);
  let heard = 0;
  await wait(bench, 'all statuses are confirmed', () => `${names.length - left.size} of ${names.length} confirmed`, () => {
    for (const { failed, object } of controller.reconciles.slice(heard)) if (!failed) left.delete(object);
    heard = controller.reconciles.length;
    return left.size === 0;
  }, TIMEOUT_SECONDS);
}

/** As the controller calls an object in its log. */
function reconcileName({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${controllerName(textBefore(apiVersion, '/'), kind)} ${metadata.namespace}/${metadata.name}`;
}
