import { objectsOf, percentile, perObject, round, sleep, wait, type Bench, type Row } from './bench';
import { restart } from './restart';
import type { KubernetesObject } from '../../engine/kubernetes';
import { annotation } from '../../engine/objects/annotations';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { ARM_REQUEST_LIMITS } from '../../src/azure/arm-request-limits';
import { nameOf } from '../shared/environment/objects-seen';

/** Part of what Azure lets one read in a second that the resync uses all the time. */
const LOAD = 0.8;
const SHORTEST_PERIOD = 5;
/** Kinds with tags, which everybody edits, and whose updates Azure ends with its answer. */
const EDITED = ['ResourceGroup', 'UserAssignedIdentity', 'StorageAccount', 'Vault', 'NetworkSecurityGroup', 'VirtualNetwork'];
/**
 * Of all kinds of the bench with tags: seconds from ASO's PUT of an update until it has seen the end, at least and at most, in recorded
 * traffic of its tests. Undefined: none was recorded.
 */
const ASO_SECONDS: Readonly<Record<string, readonly [number, number] | undefined>> = {
  ResourceGroup: [1, 1.5],
  UserAssignedIdentity: undefined,
  StorageAccount: [3.1, 3.1],
  Vault: [0.4, 3.3],
  NetworkSecurityGroup: [0.3, 0.4],
  VirtualNetwork: [0.3, 1.7],
  Namespace: undefined,
  DatabaseAccount: [35, 42],
  FlexibleServer: [63, 68.1],
  Server: undefined,
  ServersDatabase: undefined,
};
const EDITS_OF_A_KIND = 10;
const READY_TIMEOUT_SECONDS = 300;
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

/**
 * From an edit to Ready by kind, with nothing else to do: some objects of each kind with tags are edited, one after the other. The seconds
 * are those of Azure: with `--speed` they are so many times as long as the clock's.
 */
export async function readyAfterEdits(bench: Bench): Promise<Row[]> {
  const { environment, seen, speed } = bench;
  const objects = objectsOf(bench.teams);
  const rows: Row[] = [];
  for (const [kind, aso] of Object.entries(ASO_SECONDS)) {
    const chosen = objects.filter((object) => object.kind === kind).slice(0, EDITS_OF_A_KIND);
    if (chosen.length === 0) continue;
    const before = (await environment.requests()).length;
    const edited = await Promise.all(chosen.map(async (object) => {
      const { name, namespace } = object.metadata;
      const at = Date.now();
      const patch = { spec: { tags: { ready: `e${at}` } } };
      const { metadata } = await environment.client.patch(environment.typeOf(object), name, namespace, patch, 'application/merge-patch+json');
      return { name: nameOf(object), at, generation: metadata.generation ?? 0 };
    }));
    const left = () => edited.filter(({ name, generation }) => seen.settledAt(name, generation) === undefined);
    await wait(bench, `edits of ${kind} are Ready`, () => left().map(({ name }) => name).join(', '), () => left().length === 0, READY_TIMEOUT_SECONDS);
    const seconds = edited.map(({ name, at, generation }) => (seen.settledAt(name, generation)! - at) / 1000 * speed);
    const requests = await environment.requests(before);
    rows.push(
      {
        what: `edit to Ready, ${edited.length} of ${kind}: p50 and longest, s`,
        value: `${round(percentile(seconds, 50))}, ${round(Math.max(...seconds))}`,
        ...(aso ? { aim: `ASO ${aso[0] === aso[1] ? aso[0] : `${aso[0]} to ${aso[1]}`}` } : {}),
      },
      { what: '… ARM requests per edit', value: perObject(requests, edited.length) },
    );
  }
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
