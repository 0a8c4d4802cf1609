import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CredentialError } from './credentials/types';
import { ListenError } from './http-endpoints';
import { KubeconfigError } from './kubernetes/kubeconfig';
import { createLogger } from './log';
import { runController } from './run-controller';
import { SettingsError } from './settings';

const HELP = `Usage: cdk8s-aso-controller [flags]

Reconciles the Azure objects of a cluster. Settings come from the environment (AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID,
AZURE_CLIENT_SECRET, AZURE_SYNC_PERIOD, …: docs/controller.md lists them).

  --kubeconfig FILE     cluster to work on (default: KUBECONFIG, then the pod's service account, then ~/.kube/config)
  --metrics-addr ADDR   listen address of /metrics, e.g. :8080; 0 is off (default 0)
  --health-addr ADDR    listen address of /healthz and /readyz, e.g. :8081 (default: off)
  --webhook-port PORT   serve webhooks there; 0 is off (default: off, or 9443 with --webhook-cert-dir or in mode webhooks)
  --webhook-cert-dir D  tls.crt and tls.key of the webhooks (default: a certificate of their own, kept in a Secret)
  -v, --verbose LEVEL   0 errors, 1 warnings, 2 a line a pass, 3 everything (default 2)
  --json-logging        log lines in JSON
  --delay-scale N       retries and polls come N times as soon: for an Azure in which time passes faster (default 1)
  --help                print this
  --version             print the version
`;

interface Flags {
  readonly kubeconfig?: string;
  readonly metricsAddr: string;
  readonly healthAddr: string;
  readonly webhookPort?: number;
  readonly webhookCertDir?: string;
  readonly verbosity: number;
  readonly json: boolean;
  readonly delayScale: number;
}

class UsageError extends Error {}

async function main(): Promise<number> {
  let flags: Flags | 'help' | 'version';
  try {
    flags = readFlags(process.argv.slice(2));
  } catch (error) {
    return complain(`${(error as Error).message}; see --help`);
  }
  if (flags === 'help') return print(HELP);
  if (flags === 'version') return print(`${version()}\n`);
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  const { verbosity, json, ...options } = flags;
  const logger = createLogger({ verbosity, json });
  try {
    await runController({ ...options, logger, version: version() }, stop.signal);
    return 0;
  } catch (error) {
    const known = [SettingsError, CredentialError, KubeconfigError, ListenError].some((type) => error instanceof type);
    if (known) return complain((error as Error).message);
    logger.fatal({ err: error }, 'the controller ended');
    return 1;
  }
}

function readFlags(args: string[]): Flags | 'help' | 'version' {
  const { values } = parseArgs({
    args: args.map((arg) => arg.replace(/^-v=(.*)$/, '--verbose=$1')),
    options: {
      'kubeconfig': { type: 'string' },
      'metrics-addr': { type: 'string', default: '0' },
      'health-addr': { type: 'string', default: '' },
      'webhook-port': { type: 'string' },
      'webhook-cert-dir': { type: 'string' },
      'verbose': { type: 'string', short: 'v', default: '2' },
      'json-logging': { type: 'boolean', default: false },
      'delay-scale': { type: 'string', default: '1' },
      'help': { type: 'boolean', default: false },
      'version': { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.version) return 'version';
  const delayScale = Number(values['delay-scale']);
  if (!(delayScale > 0 && Number.isFinite(delayScale))) throw new UsageError(`--delay-scale ${values['delay-scale']}: write a number greater than 0`);
  if (!/^\d+$/.test(values.verbose)) throw new UsageError(`-v ${values.verbose}: write a level from 0 to 3`);
  const webhookPort = values['webhook-port'];
  if (webhookPort !== undefined && !(/^\d{1,5}$/.test(webhookPort) && Number(webhookPort) < 65536)) {
    throw new UsageError(`--webhook-port ${webhookPort}: write a port from 1 to 65535, or 0 for no webhooks`);
  }
  return {
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    ...(webhookPort === undefined ? {} : { webhookPort: Number(webhookPort) }),
    ...(values['webhook-cert-dir'] === undefined ? {} : { webhookCertDir: values['webhook-cert-dir'] }),
    metricsAddr: values['metrics-addr'],
    healthAddr: values['health-addr'],
    verbosity: Number(values.verbose),
    json: values['json-logging'],
    delayScale,
  };
}

/** Of the package that the bundle lies in. */
function version(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return existsSync(file) ? String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version) : 'dev';
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(message: string): number {
  process.stderr.write(`cdk8s-aso-controller: ${message}\n`);
  return 1;
}

// Whatever a library throws past everybody ends the process: the next start finds all state on the objects.
process.exitCode = await main();
// A library's forgotten socket must not keep a stopped controller alive.
setTimeout(() => process.exit(), 1_000).unref();
