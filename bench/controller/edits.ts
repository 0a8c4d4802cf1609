import { objectsOf, percentile, round, sleep, wait, type Bench, type Row } from './bench';
import { restart } from './restart';
import type { KubernetesObject } from '../../engine/kubernetes';
import { annotation } from '../../engine/objects/annotations';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { ARM_REQUEST_LIMITS } from '../../src/azure/arm-request-limits';
import { nameOf } from '../shared/environment/objects-seen';

/** Part of what Azure lets one read in a second that the resync uses all the time. */
const LOAD = 0.8;
const SHORTEST_PERIOD = 5;
/** Kinds with tags, which everybody edits. */
const EDITED = ['ResourceGroup', 'UserAssignedIdentity', 'StorageAccount', 'Vault', 'NetworkSecurityGroup', 'VirtualNetwork'];
const TIMEOUT_SECONDS = 120;
const SLOWEST = 8;
/** Neighbours in the list are of one kind: edits jump. */
const STRIDES = [101, 103, 107];

/** How long an edit takes to become a request to Azure while everything is looked at again, all the time. */
export async function edits(bench: Bench, most: number): Promise<Row[]> {
  const { teams, subscriptions, speed, say } = bench;
  const objects = objectsOf(teams);
  const period = Math.max(
    SHORTEST_PERIOD,
    Math.ceil(objects.length / (LOAD * ARM_REQUEST_LIMITS.reads.refillPerSecond * speed * subscriptions)),
  );
  say(`a full resync every ${period} s`);
  await restart(bench, { AZURE_SYNC_PERIOD: `${period}s` });
  return editTags(bench, most, `full resync every ${period} s`, '< 500');
}

/** How long an edit takes to become a request to Azure while nothing else is to be done. */
export async function quietEdits(bench: Bench, most: number): Promise<Row[]> {
  const rows = await editTags(bench, most, 'nothing else to do', '< 60');
  // The next part may edit the same objects, and an edit waits for the operation of the last one.
  const names = objectsOf(bench.teams).map(nameOf);
  const left = () => bench.seen.unsettled(names).length;
  await wait(bench, 'all are Ready again', () => `${left()} not Ready yet`, async () => left() === 0, TIMEOUT_SECONDS);
  return rows;
}

async function editTags(bench: Bench, most: number, beside: string, aim: string, interval = 250): Promise<Row[]> {
  const { environment, teams, speed, say } = bench;
  const objects = objectsOf(teams);
  const ids = await armIds(bench, objects.filter(({ kind }) => EDITED.includes(kind)));
  // Each once: a second edit would wait for the operation that the first one has begun.
  const count = Math.min(most, ids.length);
  const begun = (await environment.requests()).length;
  const stride = STRIDES.find((prime) => ids.length % prime !== 0)!;
  const started = Date.now();
  const waiting: { readonly kind: string; readonly path: string; readonly at: number }[] = [];
  for (let number = 0; number < count; number += 1) {
    const chosen = ids[(number * stride) % ids.length];
    if (!chosen) throw new Error('no object has an ARM id');
    const [object, path] = chosen;
    const { name, namespace } = object.metadata;
    const at = Date.now();
    await environment.client.patch(
      environment.typeOf(object),
      name,
      namespace,
      { spec: { tags: { edited: `e${at}` } } },
      'application/merge-patch+json',
    );
    waiting.push({ kind: object.kind, path, at });
    await sleep(Math.max(0, at + interval / speed - Date.now()));
  }
  const seconds = (Date.now() - started) / 1000;
  let times: (number | undefined)[] = [];
  await wait(bench, 'all edits are sent', () => `${times.filter((time) => time !== undefined).length} of ${count} edits sent`, async () => {
    const puts = (await environment.requests(begun)).filter(({ method }) => method === 'PUT');
    times = waiting.map(({ path, at }) => {
      const sent = puts.find((put) => put.at >= at && put.path.toLowerCase() === path)?.at;
      return sent === undefined ? undefined : sent - at;
    });
    return times.every((time) => time !== undefined);
  }, TIMEOUT_SECONDS);
  const reads = (await environment.requests(begun)).filter(({ method, at }) => method !== 'PUT' && at < started + seconds * 1000).length;
  const known = times as number[];
  const slowest = known.map((time, index) => ({ kind: waiting[index]?.kind, time })).sort((a, b) => b.time - a.time).slice(0, SLOWEST);
  say(`slowest: ${slowest.map(({ kind, time }) => `${kind} ${time} ms`).join(', ')}`);
  return [
    { what: `edit to its PUT, ${beside}, ${count} edits: p50, ms`, value: percentile(known, 50) },
    { what: '… p99, ms', value: percentile(known, 99), aim },
    { what: '… longest, ms', value: Math.max(...known) },
    { what: '… other ARM requests a second meanwhile', value: round(reads / seconds) },
  ];
}

async function armIds({ environment }: Bench, objects: readonly KubernetesObject[]): Promise<(readonly [KubernetesObject, string])[]> {
  const types = [...new Set(objects.map((object) => environment.typeOf(object)))];
  const lists = await Promise.all(types.map(async (type) => {
    const { items } = await environment.client.list(type, {});
    return items.map((item) => ({ ...item, apiVersion: `${type.group}/${type.version}`, kind: type.kind }));
  }));
  const named = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`));
  return lists.flat().filter(({ kind, metadata }) => named.has(`${kind} ${metadata.namespace}/${metadata.name}`))
    .map((object) => [object, annotation(object, RESOURCE_ID)!.toLowerCase()] as const);
}
