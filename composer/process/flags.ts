import { parseArgs } from 'node:util';
import { FlagError } from '../../runtime/flag-error';
import { documentation } from '../../src/documentation';

export interface Flags {
  readonly bundle: string;
  readonly kubeconfig?: string;
  /** Of Leases; undefined: that of the pod. */
  readonly namespace?: string;
  readonly name: string;
  readonly leaderElect: boolean;
  readonly metricsAddr: string;
  readonly healthAddr: string;
  readonly threads: number;
  /** 0: no webhooks. */
  readonly webhookPort: number;
  /** Directory with the certificate of the webhooks; undefined: the composer makes one. */
  readonly webhookCertDir?: string;
  readonly admission: boolean;
  readonly verbosity: number;
  readonly json: boolean;
}

export const HELP = `Usage: cdk8s-aso-composer --bundle FILE [flags]

Keeps the objects that a platform's own kinds compose: ${documentation('docs/composer.md')}

  --bundle FILE         the definition, built by cdk8s-aso api build
  --kubeconfig FILE     cluster to work on (default: KUBECONFIG, then the pod's service account, then ~/.kube/config)
  --namespace NAME      namespace of the Leases (default: POD_NAMESPACE, then that of the kubeconfig or the pod, then default)
  --name NAME           name of this composer; a CRD that names another one is left alone (default composer)
  --leader-elect        one composer of a kind works, the others wait (default true)
  --threads N           threads that run compose (default 2)
  --webhook-port PORT   port of the webhooks, which convert claims between versions; 0 is off (default 0)
  --webhook-cert-dir D  tls.crt and tls.key of the webhooks (default: a certificate of their own, kept in a Secret)
  --admission           review claims at --webhook-port, before they are stored
  --metrics-addr ADDR   listen address of /metrics, e.g. :8080; 0 is off (default 0)
  --health-addr ADDR    listen address of /healthz and /readyz, e.g. :8081 (default: off)
  -v, --verbose LEVEL   0 errors, 1 warnings, 2 a line a reconcile, 3 everything (default 2)
  --json-logging        log lines in JSON
  --help                print this
  --version             print the version
`;

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MOST_THREADS = 64;

/** @throws FlagError */
export function readFlags(args: readonly string[]): Flags | 'help' | 'version' {
  const values = parsed(args.map((arg) => (arg === '--leader-elect' ? '--leader-elect=true' : arg)));
  if (values.help) return 'help';
  if (values.version) return 'version';
  const { bundle, kubeconfig, namespace, name = 'composer' } = values;
  if (!bundle) throw new FlagError('--bundle FILE is missing: the file that cdk8s-aso api build has written');
  const { 'webhook-cert-dir': webhookCertDir } = values;
  for (const [flag, isGiven] of Object.entries({ 'admission': values.admission, 'webhook-cert-dir': webhookCertDir })) {
    if (isGiven && !Number(values['webhook-port'])) throw new FlagError(`--${flag} needs --webhook-port PORT`);
  }
  for (const [flag, value] of Object.entries({ namespace, name })) {
    if (value !== undefined && !NAME.test(value)) throw new FlagError(`--${flag} ${value}: write lower-case letters, digits and '-'`);
  }
  return {
    bundle,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    leaderElect: booleanOf('leader-elect', values['leader-elect'] ?? 'true'),
    metricsAddr: values['metrics-addr'] ?? '0',
    healthAddr: values['health-addr'] ?? '',
    threads: numberOf('--threads', values.threads ?? '2', 1, MOST_THREADS),
    webhookPort: numberOf('--webhook-port', values['webhook-port'] ?? '0', 0, 65_535),
    ...(webhookCertDir ? { webhookCertDir } : {}),
    admission: values.admission ?? false,
    verbosity: numberOf('-v', values.verbose ?? '2', 0, 9),
    json: values['json-logging'] ?? false,
  };
}

function parsed(args: string[]) {
  const [text, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  try {
    return parseArgs({
      args,
      options: {
        'bundle': text,
        'kubeconfig': text,
        'namespace': text,
        'name': text,
        'leader-elect': text,
        'threads': text,
        'webhook-port': text,
        'webhook-cert-dir': text,
        'admission': flag,
        'metrics-addr': text,
        'health-addr': text,
        'verbose': { type: 'string', short: 'v' },
        'json-logging': flag,
        'help': flag,
        'version': flag,
      },
    }).values;
  } catch (error) {
    throw new FlagError((error as Error).message);
  }
}

function booleanOf(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new FlagError(`--${name}=${value}: write true or false`);
}

function numberOf(flag: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) throw new FlagError(`${flag} ${value}: write a number from ${least} to ${most}`);
  return number;
}
