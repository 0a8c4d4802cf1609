import { Session } from 'node:inspector/promises';
import type { Paths } from '../../runtime/http/http-endpoints';

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 300;
const INDEX = `Profiles of this process, for Chrome's DevTools or VS Code:

  /debug/pprof/profile?seconds=30   CPU profile (.cpuprofile)
  /debug/pprof/heap?seconds=30      sampled allocations (.heapprofile)
  /debug/pprof/cmdline              the command line
`;

/** The endpoints that ASO serves under `--profiling-metrics`, as far as Node supports them: no symbols, no trace. */
export function profilePaths(): Paths {
  let busy = false;
  const one = async (run: () => Promise<string>) => {
    if (busy) return [409, 'text/plain', 'a profile is being taken; wait for its end\n'] as const;
    busy = true;
    try {
      return [200, 'application/json', await run()] as const;
    } finally {
      busy = false;
    }
  };
  return {
    '/debug/pprof/': () => [200, 'text/plain', INDEX],
    // Flags hold no secrets: those come in the environment.
    '/debug/pprof/cmdline': () => [200, 'text/plain', process.argv.join('\0')],
    '/debug/pprof/profile': (query) => one(() => profiled(query, 'Profiler.start', 'Profiler.stop', 'Profiler.enable')),
    '/debug/pprof/heap': (query) =>
      one(() => profiled(query, 'HeapProfiler.startSampling', 'HeapProfiler.stopSampling', 'HeapProfiler.enable')),
  };
}

type Start = 'Profiler.start' | 'HeapProfiler.startSampling';
type Stop = 'Profiler.stop' | 'HeapProfiler.stopSampling';

async function profiled(
  query: URLSearchParams,
  start: Start,
  stop: Stop,
  enable: 'Profiler.enable' | 'HeapProfiler.enable',
): Promise<string> {
  const asked = Number(query.get('seconds') ?? DEFAULT_SECONDS);
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, MOST_SECONDS) : DEFAULT_SECONDS;
  const session = new Session();
  session.connect();
  try {
    await session.post(enable);
    await session.post(start as 'Profiler.start');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return JSON.stringify((await session.post(stop as 'Profiler.stop')).profile);
  } finally {
    session.disconnect();
  }
}
