import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { anonymousAccess, Connection, RestClient, type ResourceType } from '../../engine/kubernetes';
import { startKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';
import { findChromium } from '../../test/site/chromium';
import { fill } from '../status/run';

const directory = fileURLToPath(new URL('.', import.meta.url));
const CLI = join(directory, '..', '..', 'lib', 'cli', 'main.js');
const IDLE_MS = 10_000;
/** Of Linux: processor times are in hundredths of a second. */
const TICK_MS = 10;
const GROUPS: ResourceType = {
  group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true,
};

export interface PageSample {
  readonly startMs: number;
  readonly firstPaintMs: number;
  readonly objectsMs: number;
  readonly searchMs: number;
  readonly changeMs: number;
  readonly heapMiB: number;
  readonly serverMiB: number;
  readonly idleCpuMs: number;
}

/** Measures the built CLI, and Chromium with its page. */
export async function measurePage(objects: number, runs: number): Promise<PageSample[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium on the PATH: apt-get install chromium');
  const kubernetes = await startKubernetes({ crds: Catalog.default().allKinds });
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'bench' });
  const temporary = mkdtempSync(join(tmpdir(), 'bench-page-'));
  const kubeconfig = join(temporary, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const client = new RestClient(connection);
    await fill(client, objects);
    const samples: PageSample[] = [];
    for (let run = 0; run < runs; run += 1) samples.push(await sample(browser, kubeconfig, client, `new-${run}`, objects + run));
    return samples;
  } finally {
    await browser.close();
    await connection.close();
    await kubernetes.close();
    rmSync(temporary, { recursive: true });
  }
}

async function sample(browser: Browser, kubeconfig: string, client: RestClient, name: string, objects: number): Promise<PageSample> {
  const startedAt = performance.now();
  const server = spawn(process.execPath, [CLI, 'ui', '--kubeconfig', kubeconfig], { stdio: ['ignore', 'pipe', 'ignore'] });
  const context = await browser.newContext({ viewport: { width: 1200, height: 760 } });
  try {
    const url = await addressOf(server);
    const page = await context.newPage();
    const shown = page.locator('#objects-title', { hasText: `${objects} objects` });
    await page.goto(url);
    await shown.waitFor({ timeout: 120_000 });
    const startMs = performance.now() - startedAt;
    // The page is measured with a server that has read everything.
    await page.reload();
    await shown.waitFor();
    const objectsMs = await page.evaluate<number>('performance.now()');
    const firstPaintMs = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    const searchedAt = performance.now();
    await page.locator('#search').fill('data-7');
    await page.locator('#objects-title', { hasText: ' of ' }).waitFor();
    const searchMs = performance.now() - searchedAt;
    await page.locator('#search').fill('');
    const idleFrom = processorMs(server);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idleCpuMs = processorMs(server) - idleFrom;
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const serverMiB = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
    const changedAt = performance.now();
    await client.create(GROUPS, {
      apiVersion: `${GROUPS.group}/${GROUPS.version}`, kind: GROUPS.kind, metadata: { name, namespace: 'team-0' }, spec: { location: 'westeurope' },
    });
    await page.locator('#objects-title', { hasText: `${objects + 1} objects` }).waitFor();
    const changeMs = performance.now() - changedAt;
    return { startMs, firstPaintMs, objectsMs, searchMs, changeMs, heapMiB: usedSize / 1024 ** 2, serverMiB, idleCpuMs };
  } finally {
    await context.close();
    await ended(server);
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += String(part);
    const url = /http:\/\/\S+/.exec(text)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('the command has ended without an address');
}

function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill('SIGINT');
  });
}
