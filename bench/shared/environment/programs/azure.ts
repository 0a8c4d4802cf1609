// The Azure simulator in a process of its own, for measurements. Usage: azure.ts JSON (options of startAzure). Prints one line of JSON once
// it listens; ends on SIGTERM. Beside Azure it serves /requests?since=N, every request from number N on, in short; /resources, their ids;
// and
// /fault?JSON, something that goes wrong, /fault alone for nothing any more.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAzure, type AzureOptions, type Fault, type LoggedRequest } from '../../../../sandbox/azure';

/** How often requests are fetched: the simulator itself forgets all but the last 20,000. */
const INTERVAL = 250;

async function main(): Promise<void> {
  const azure = await startAzure(JSON.parse(process.argv[2] ?? '{}') as AzureOptions);
  const all: LoggedRequest[] = [];
  const collect = () => {
    const { total } = azure.requests();
    const kept = azure.log();
    for (const entry of kept.slice(Math.max(0, kept.length - (total - all.length)))) all.push(entry);
  };
  setInterval(collect, INTERVAL);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bench');
    collect();
    const since = Number(url.searchParams.get('since') ?? '0');
    response.setHeader('content-type', 'application/json');
    if (url.pathname === '/resources') return void response.end(JSON.stringify(azure.resources().map(({ id }) => id)));
    if (url.pathname === '/fault') {
      if (url.search) azure.faults.add(JSON.parse(decodeURIComponent(url.search.slice(1))) as Fault);
      else azure.faults.clear();
      return void response.end('{}');
    }
    const asked = all.slice(since);
    const short = asked.map(({ at, method, path, status, poll, created }) => ({ at: Date.parse(at), method, path, status, poll, created }));
    return void response.end(JSON.stringify(short));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ pid: process.pid, administration: `http://127.0.0.1:${port}`, env: azure.env })}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}

main().catch((error: unknown) => {
  process.stderr.write(`azure: ${String(error)}\n`);
  process.exit(1);
});
