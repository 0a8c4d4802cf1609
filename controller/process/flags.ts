import { parseArgs } from 'node:util';
import { FlagError } from '../../runtime/flag-error';
import type { ShardCount } from '../../runtime/shards/publication';
import { documentation } from '../../src/documentation';

/** The flags of ASO (docs/spec/settings.md#flags) and some of our own (`--kubeconfig`, `--kinds`, `--delay-scale`). */
export interface Flags {
  readonly kubeconfig?: string;
  readonly metricsAddr: string;
  readonly secureMetrics: boolean;
  readonly profilingMetrics: boolean;
  readonly ui: boolean;
  readonly metricsCertDir?: string;
  readonly healthAddr: string;
  readonly webhookPort?: number;
  readonly webhookCertDir?: string;
  readonly enableLeaderElection: boolean;
  readonly shards: ShardCount;
  /** Undefined: `auto` where there is a pattern, else `none`. */
  readonly crdManagement?: 'auto' | 'none';
  readonly crdPattern: string;
  readonly crdLabels: string;
  /** Kinds to reconcile, as a CRD pattern; empty: all that the cluster serves. */
  readonly kinds: string;
  readonly verbosity: number;
  readonly json: boolean;
  readonly delayScale: number;
}

export const HELP = `Usage: cdk8s-aso-controller [flags]

Reconciles the Azure objects of a cluster. Settings come from the environment (AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID,
AZURE_CLIENT_SECRET, AZURE_SYNC_PERIOD, …: ${documentation('docs/controller.md#settings')}).

  --kubeconfig FILE     cluster to work on (default: KUBECONFIG, then the pod's service account, then ~/.kube/config)
  --metrics-addr ADDR   listen address of /metrics, e.g. :8443; 0 is off (default 0)
  --secure-metrics      metrics over HTTPS, for those whom the cluster allows to get /metrics (default true)
  --metrics-cert-dir D  tls.crt and tls.key of the metrics (default: a self-signed certificate)
  --profiling-metrics   profiles at /debug/pprof/ beside the metrics, only with --secure-metrics (default false)
  --ui                  a page of the objects at /ui/ beside the metrics, only with --secure-metrics (default false)
  --health-addr ADDR    listen address of /healthz and /readyz, e.g. :8081 (default: off)
  --webhook-port PORT   serve webhooks there; 0 is off (default: off, or 9443 with --webhook-cert-dir or in mode webhooks)
  --webhook-cert-dir D  tls.crt and tls.key of the webhooks (default: a certificate of their own, kept in a Secret)
  --enable-leader-election
                        only one replica reconciles; the others wait, and serve health, metrics and webhooks (default false)
  --shards N            so many replicas share the namespaces, auto: all replicas; needs --enable-leader-election (default 1)
  --crd-management MODE auto: install the CRDs of --crd-pattern, bring installed ones up to date; none (default: auto with a pattern)
  --crd-pattern TEXT    kinds, e.g. 'resources.azure.com/*;storage.azure.com/StorageAccount'
  --crd-labels TEXT     labels for the CRDs, e.g. 'team=platform,env=prod'
  --kinds TEXT          reconcile only these kinds, written as in --crd-pattern (default: all that the cluster serves)
  -v, --verbose LEVEL   0 errors, 1 warnings, 2 a line a reconcile, 3 everything (default 2)
  --json-logging        log lines in JSON
  --delay-scale N       retries and polls come N times as soon: for an Azure in which time passes faster (default 1)
  --help                print this
  --version             print the version
`;

/** Replicas that can share the namespaces. */
const MOST_SHARDS = 100;

const BOOLEANS = ['secure-metrics', 'profiling-metrics', 'ui', 'enable-leader-election', 'json-logging', 'help', 'version'] as const;

/** Texts of the flags by their names. */
type Values = Readonly<Record<string, string | undefined>>;

/**
 * Reads flags as Go writes them: with one dash or two, booleans alone or with `=true`.
 *
 * @throws FlagError
 */
export function readFlags(args: readonly string[]): Flags | 'help' | 'version' {
  const values = parsed(args.map(asNodeWritesIt));
  if (values.help === 'true') return 'help';
  if (values.version === 'true') return 'version';
  const delayScale = delayScaleOf(values);
  const verbosity = verbosityOf(values);
  const webhookPort = webhookPortOf(values);
  const crdManagement = crdManagementOf(values);
  const enableLeaderElection = values['enable-leader-election'] === 'true';
  return {
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    metricsAddr: values['metrics-addr'] ?? '0',
    ...metricsSecurity(values),
    ...(values['metrics-cert-dir'] ? { metricsCertDir: values['metrics-cert-dir'] } : {}),
    healthAddr: values['health-addr'] ?? '',
    ...(webhookPort === undefined ? {} : { webhookPort }),
    ...(values['webhook-cert-dir'] ? { webhookCertDir: values['webhook-cert-dir'] } : {}),
    enableLeaderElection,
    shards: shardsOf(values, enableLeaderElection),
    ...(crdManagement === undefined ? {} : { crdManagement }),
    crdPattern: values['crd-pattern'] ?? '',
    crdLabels: values['crd-labels'] ?? '',
    kinds: values.kinds ?? '',
    verbosity,
    json: values['json-logging'] === 'true',
    delayScale,
  };
}

function delayScaleOf({ 'delay-scale': text = '1' }: Values): number {
  const delayScale = Number(text);
  if (!(delayScale > 0 && Number.isFinite(delayScale))) throw new FlagError(`--delay-scale ${text}: write a number greater than 0`);
  return delayScale;
}

function verbosityOf({ verbose = '2' }: Values): number {
  if (!/^\d+$/.test(verbose)) throw new FlagError(`-v ${verbose}: write a level from 0 to 3`);
  return Number(verbose);
}

function webhookPortOf({ 'webhook-port': port }: Values): number | undefined {
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) >= 65536) {
    throw new FlagError(`--webhook-port ${port}: write a port from 1 to 65535, or 0 for no webhooks`);
  }
  return Number(port);
}

function shardsOf({ shards = '1' }: Values, enableLeaderElection: boolean): ShardCount {
  const count = shards === 'auto' ? shards : Number(shards);
  if (count !== 'auto' && !(/^\d{1,3}$/.test(shards) && count >= 1 && count <= MOST_SHARDS)) {
    throw new FlagError(`--shards ${shards}: write auto, or a number from 1 to ${MOST_SHARDS}`);
  }
  if (count !== 1 && !enableLeaderElection) throw new FlagError('--shards needs --enable-leader-election: replicas take over from each other');
  return count;
}

function crdManagementOf({ 'crd-management': mode }: Values): Flags['crdManagement'] {
  if (mode === undefined || mode === 'auto' || mode === 'none') return mode;
  throw new FlagError(`--crd-management ${mode}: write auto or none`);
}

function metricsSecurity(values: Values): Pick<Flags, 'secureMetrics' | 'profilingMetrics' | 'ui'> {
  const secureMetrics = values['secure-metrics'] !== 'false';
  const profilingMetrics = values['profiling-metrics'] === 'true';
  if (profilingMetrics && !secureMetrics) {
    throw new FlagError('--profiling-metrics needs --secure-metrics: profiles hold what the process holds');
  }
  const ui = values.ui === 'true';
  if (ui && !secureMetrics) throw new FlagError('--ui needs --secure-metrics: the page shows all objects');
  if (ui && (values['metrics-addr'] ?? '0') === '0') throw new FlagError('--ui needs --metrics-addr: the page is served there');
  return { secureMetrics, profilingMetrics, ui };
}

function asNodeWritesIt(arg: string): string {
  const verbose = arg.replace(/^--?v=(.*)$/, '--verbose=$1');
  const long = /^-[a-z][\w-]+/.test(verbose) && !/^-v\d*$/.test(verbose) ? `-${verbose}` : verbose;
  return BOOLEANS.some((name) => long === `--${name}`) ? `${long}=true` : long;
}

function parsed(args: string[]): Values {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        'kubeconfig': text,
        'metrics-addr': text,
        'secure-metrics': text,
        'profiling-metrics': text,
        'ui': text,
        'metrics-cert-dir': text,
        'health-addr': text,
        'webhook-port': text,
        'webhook-cert-dir': text,
        'enable-leader-election': text,
        'shards': text,
        'crd-management': text,
        'crd-pattern': text,
        'crd-labels': text,
        'kinds': text,
        'verbose': { type: 'string', short: 'v' },
        'json-logging': text,
        'delay-scale': text,
        'help': text,
        'version': text,
      },
    });
    return { ...values, ...Object.fromEntries(BOOLEANS.map((name) => [name, booleanOf(name, values[name])])) };
  } catch (error) {
    throw error instanceof FlagError ? error : new FlagError((error as Error).message);
  }
}

/** The values that Go's strconv.ParseBool accepts. */
function booleanOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^(1|t|true)$/i.test(value)) return 'true';
  if (/^(0|f|false)$/i.test(value)) return 'false';
  throw new FlagError(`--${name}=${value}: write true or false`);
}
