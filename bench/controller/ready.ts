import { writeFileSync } from 'node:fs';
import { applyTeam, APPLIED_AT_A_TIME, withConcurrency, objectsOf, percentile, perObject, round, sleep, wait, type Bench, type Row } from './bench';
import { kubernetesTraffic, trafficBetween, trafficRows } from '../shared/environment/kubernetes-traffic';
import { criticalPath, limitsSeconds } from '../shared/environment/lower-bounds';
import { nameOf } from '../shared/environment/objects-seen';
import { countReasons } from '../shared/environment/request-reasons';

const TIMEOUT_SECONDS = 3600;

export interface ReadyOptions {
  readonly restSeconds: number;
  /** File for every request to Azure, a line of JSON each. */
  readonly requestsFile?: string | undefined;
}

/** From the apply of everything until everything is Ready; then what the controller uses while there is nothing to do. */
export async function ready(bench: Bench, { restSeconds, requestsFile }: ReadyOptions): Promise<Row[]> {
  const { environment, seen, controller, teams, speed, say } = bench;
  const objects = objectsOf(teams);
  const expected = criticalPath(objects);
  const begun = Date.now();
  const before = controller.usage();
  const kubernetesBefore = kubernetesTraffic(await controller.metrics());
  await withConcurrency(teams, APPLIED_AT_A_TIME, (team) => applyTeam(bench, team));
  const first = Date.now();
  const names = await applyObjects(bench);
  const applied = Date.now();
  say(`${objects.length} objects applied in ${round((applied - first) / 1000)} s`);
  await wait(bench, 'all objects are Ready', async () => {
    const { residentMiB, peakMiB } = controller.usage();
    return `${seen.settled(names)} of ${names.length} Ready, ${(await environment.requests()).length} requests, ${Math.round(residentMiB)} MiB, at most ${Math.round(peakMiB)}`;
  }, () => seen.settled(names) === names.length, TIMEOUT_SECONDS).catch((error: Error) => {
    throw new Error(`${error.message}; not Ready: ${seen.unsettled(names).slice(0, 10).join(', ')}`);
  });
  const after = controller.usage();
  const kubernetes = kubernetesTraffic(await controller.metrics());
  const requests = await environment.requests();
  if (requestsFile !== undefined) writeFileSync(requestsFile, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  const times = names.map((name) => (seen.settledAt(name)! - first) / 1000);
  const seconds = Math.max(...times);
  const limit = limitsSeconds(requests) / speed;
  const critical = expected.seconds / speed;
  const rows: Row[] = [
    { what: 'objects', value: objects.length },
    { what: 'applied in, s', value: round((applied - first) / 1000) },
    { what: 'all Ready after, s', value: round(seconds) },
    { what: 'half of them Ready after, s', value: round(percentile(times, 50)) },
    { what: `critical path, s (${expected.path.map(({ kind }) => kind).join(' → ')})`, value: round(critical) },
    { what: 'as a multiple of the critical path', value: round(seconds / critical, 2) },
    { what: "request limit, s (Azure's buckets of the subscription with most requests)", value: round(limit) },
    { what: 'as a multiple of the request limit', value: limit > 0 ? round(seconds / limit, 2) : '–' },
    { what: 'as a multiple of the larger of the two', value: round(seconds / Math.max(critical, limit), 2), aim: '1.1' },
    { what: 'ARM requests per object to Ready', value: round(requests.length / objects.length, 2), aim: '1.5' },
    { what: '… by method', value: perObject(requests, objects.length) },
    ...countReasons(requests).map(([reason, count]) => ({ what: `… ${reason}`, value: round(count / objects.length, 3) })),
    { what: 'refused with 429', value: requests.filter(({ status }) => status === 429).length },
    { what: 'controller, CPU s until all are Ready', value: round(after.cpuSeconds - before.cpuSeconds) },
    { what: '… per object, ms', value: round((after.cpuSeconds - before.cpuSeconds) / objects.length * 1000) },
    { what: 'controller, most memory, MiB', value: round(after.peakMiB), aim: '256' },
    ...trafficRows(trafficBetween(kubernetesBefore, kubernetes), objects.length),
    ...Object.entries(environment.usage()).map(([name, { cpuSeconds }]) => ({
      what: `server ${name}, CPU s of ${round((Date.now() - begun) / 1000)}`,
      value: round(cpuSeconds),
    })),
  ];
  return [...rows, ...(await rest(bench, restSeconds, objects.length))];
}

/** Applies everything; answers the names of the objects. */
export async function apply(bench: Bench): Promise<string[]> {
  await withConcurrency(bench.teams, APPLIED_AT_A_TIME, (team) => applyTeam(bench, team));
  return applyObjects(bench);
}

async function applyObjects({ environment, teams }: Bench): Promise<string[]> {
  const objects = objectsOf(teams);
  await withConcurrency(objects, APPLIED_AT_A_TIME, (object) => environment.apply(object));
  return objects.map(nameOf);
}

async function rest({ controller, environment, say }: Bench, seconds: number, objects: number): Promise<Row[]> {
  await sleep(5_000);
  say(`at rest for ${seconds} s`);
  const before = controller.usage();
  const requests = (await environment.requests()).length;
  await sleep(seconds * 1000);
  const after = controller.usage();
  return [
    { what: `at rest, CPU cores (${seconds} s)`, value: round((after.cpuSeconds - before.cpuSeconds) / seconds, 3), aim: '< 0.2' },
    { what: 'at rest, memory, MiB', value: round(after.residentMiB), aim: '256' },
    { what: 'at rest, ARM requests', value: (await environment.requests()).length - requests },
    { what: 'memory at rest, KiB per object', value: round(after.residentMiB * 1024 / objects) },
  ];
}
