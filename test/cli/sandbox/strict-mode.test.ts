import type { SandboxOptions } from '../../../cli/sandbox/options';
import { startServers } from '../../../cli/sandbox/servers';

const OPTIONS: SandboxOptions = { output: 'text', timeScale: 60, existing: [], controller: false };

test.each<[string, Partial<SandboxOptions>, Record<string, string>, string | undefined]>([
  ['nothing is said', {}, {}, undefined],
  ['--strict', { strict: true }, {}, 'strict'],
  ['the environment', {}, { AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'strict' }, 'strict'],
  ['the environment says relaxed', {}, { AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'relaxed' }, 'relaxed'],
  ['--strict counts more', { strict: true }, { AZURE_WORKLOAD_IDENTITY_AUTH_MODE: 'relaxed' }, 'strict'],
])('the controller of the sandbox is as strict as %s', async (_, options, environment, mode) => {
  const servers = await startServers({ ...OPTIONS, ...options }, environment);
  try {
    expect(servers.environment.AZURE_WORKLOAD_IDENTITY_AUTH_MODE).toBe(mode);
  } finally {
    await servers.close();
  }
});
