import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpClient } from '@azure/core-rest-pipeline';
import type { CreateClient } from './checks/credentials';
import { diagnose } from './diagnose';
import { countsOf, doctorJson, doctorText } from './report';
import { createArmClient } from '../../engine/arm/arm-client';
import { isClusterError, withCluster } from '../cluster/connect';
import type { ClusterOptions } from '../cluster/options';
import { oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import type { Terminal } from '../output/terminal';

/** The options of `cdk8s-aso doctor`. */
export interface DoctorOptions extends ClusterOptions {
  readonly azure: boolean;
  readonly strict: boolean;
  readonly output: 'text' | 'json';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `cdk8s-aso doctor`. Answers the exit status.
 * @param httpClient of requests to Azure and Entra; by default Node's
 */
export async function runDoctor(
  options: DoctorOptions, terminal: Terminal, environment: Environment, httpClient?: HttpClient,
): Promise<number> {
  const createClient: CreateClient = (parts) => (
    createArmClient({ ...parts, registerProviders: false, userAgentSuffix: 'doctor', httpClient }));
  // Tokens of service accounts, which the identity library takes from files.
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-doctor-'));
  let tokens = 0;
  const tokenFile = (token: string) => {
    const file = join(directory, `token-${tokens += 1}`);
    writeFileSync(file, token, { mode: 0o600 });
    return file;
  };
  const progress = progressLine(process.stderr, terminal);
  try {
    const reports = await withCluster(options, { command: 'doctor', environment }, ({ client }) => diagnose(client, {
      namespace: options.namespace,
      now: Date.now,
      azure: options.azure ? { createClient, tokenFile, httpClient } : undefined,
      progress: (area) => progress.report(() => `looking at ${area} …`),
    })).finally(() => progress.end());
    terminal.print(options.output === 'json' ? doctorJson(reports) : doctorText(reports, terminal.style));
    const { error, warning, unread } = countsOf(reports);
    return error + unread > 0 || (options.strict && warning > 0) ? 1 : 0;
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
