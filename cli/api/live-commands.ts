import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RunCommandOptions } from './desk/run-definition';
import type { DiffCommandOptions } from './diff/diff-claims';
import type { InstallCommandOptions } from './installation/install-composer';
import type { UninstallOptions } from './installation/uninstall-composer';
import { DNS_LABEL } from '../../src/azure/dns-name';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import { askUser } from '../output/ask-user';
import type { Terminal } from '../output/terminal';

/** The namespace of a composer, where the user gives none. */
export const COMPOSER_NAMESPACE = 'cdk8s-aso-composer';
export const COMPOSER_NAME = 'composer';
/** Of the pods of a Deployment in `--replicas`. */
const MOST_REPLICAS = 10;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const GUIDE = `Guide: ${documentation('docs/composer.md')}`;

export function dnsLabel(text: string): string {
  if (!DNS_LABEL.test(text)) throw new InvalidArgumentError("Give lower-case letters, digits and '-', 63 characters at most.");
  return text;
}

export function outputOption(description = 'how to print'): Option {
  return new Option('-o, --output <format>', description).choices(['text', 'json']).default('text');
}

/** Options that name a composer in a cluster. */
function addComposerOptions(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'namespace of the composer', dnsLabel, COMPOSER_NAMESPACE)
    .option('--name <name>', 'name of the composer', dnsLabel, COMPOSER_NAME);
}

function addConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config by default')
    .option('--context <name>', 'the context in the kubeconfig; the current one by default');
}

/** Adds `api run`. */
export function addRunCommand(api: Command, terminal: Terminal, done: (status: number) => void, version: string): void {
  const command = api
    .command('run')
    .summary('run a definition on this machine, for any cluster')
    .description('Runs the composer of a definition in this process, with the rights of this user, '
      + 'and prints what becomes of the claims, until Ctrl-C.')
    .argument('<file>', 'the module of the definition, or its bundle.js');
  addConnectionOptions(command)
    .option('-n, --namespace <name>', "namespace of the composer's Lease; that of the context by default, or default", dnsLabel)
    .option('--name <name>', 'name of the composer; CRDs that name another one are left alone', dnsLabel, 'desk')
    .option('--install-crds', 'create or change the CRDs of the definition without asking', false)
    .option('--watch', 'build again when a source file changes, and go on with the new revision', false)
    .option('-v, --verbose', "print the composer's own log, too", false)
    .addOption(outputOption('how to print; json: a line for each change of a claim'))
    .addHelpText('after', `
The missing rights of this user are named before anything is done. Claims that were ready at the start are not printed until they change.
Another composer of the same kinds and namespace works, or this one: the other one waits.
${GUIDE}

Exit status: 0 when it was ended by Ctrl-C; 1 when there were problems, one line each on standard error; 2 for a wrong command line.

Examples:
  cdk8s-aso api run bucket.ts --install-crds
  cdk8s-aso api run bucket.ts --watch --kubeconfig sandbox.kubeconfig
  cdk8s-aso api run dist/bundle.js --context staging -n platform-api --name composer`)
    .action(async (file: string, options: RunCommandOptions) => {
      const { runDefinition } = await import('./desk/run-definition');
      const stop = new AbortController();
      const end = () => stop.abort(new Error('ended by the user'));
      for (const name of SIGNALS) process.once(name, end);
      try {
        const confirm = process.stdin.isTTY ? askUser : undefined;
        done(await runDefinition(file, options, terminal, { environment: process.env, version, signal: stop.signal, confirm }));
      } finally {
        for (const name of SIGNALS) process.removeListener(name, end);
      }
    });
}

/** Adds `api diff`. */
export function addClaimDiffCommand(api: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = api
    .command('diff')
    .summary('what a new definition would change for the claims of a cluster')
    .description('Composes the claims of a cluster with a definition that is not in force yet, '
      + 'and prints what would become of their objects. Nothing is changed.')
    .argument('<file>', 'the module of the definition, or its bundle.js')
    .argument('[name...]', 'names of claims; all by default');
  addClusterOptions(command)
    .option('--kind <kind...>', 'only claims of these kinds of the definition', [])
    .option('-l, --selector <labels>', 'only claims with these labels, e.g. team=shop')
    .option('--local', 'compare here, without dry runs: fields that go are not in the differences', false)
    .option('--exit-code', 'exit with 1 when there are differences, and with 2 when there are problems', false)
    .addOption(outputOption())
    .addHelpText('after', `
Objects are compared by dry runs of server-side apply, where this user may patch them, otherwise as with --local. Values of Secrets are never
printed. The CRDs are compared, too, with what the new schema refuses of the claims that there are.
${GUIDE}

Exit status: 0 when all claims could be composed; 1 when a claim or a CRD would be refused, or something could not be read; 2 for a wrong
command line. With --exit-code: 0 no differences, 1 differences, 2 problems.

Examples:
  cdk8s-aso api diff bucket.ts
  cdk8s-aso api diff bucket.ts logs -n dispatch --context production
  cdk8s-aso api diff dist/bundle.js --kind Bucket -l team=dispatch --exit-code --output json`)
    .action(async (file: string, names: string[], options: DiffCommandOptions) => {
      const { diffClaims } = await import('./diff/diff-claims');
      done(await diffClaims(file, names, options, terminal, process.env));
    });
}

/** Adds `api install`. */
export function addInstallCommand(api: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = api
    .command('install')
    .summary('print or apply all objects that run a composer in a cluster')
    .description('Prints the objects that run the composer of a definition in a cluster, '
      + 'for GitOps or kubectl; with --apply it applies them.')
    .argument('<file>', 'the module of the definition, or its bundle.js');
  addComposerOptions(command)
    .option('--image <image>', "the composer's image; that of the release of the bundle's cdk8s-aso by default")
    .option('--bundle-in-image', 'the image has the bundle (api build --image-context): no ConfigMap', false)
    .option('--no-create-namespace', 'without the Namespace')
    .option('--admission', 'have claims reviewed before they are stored: '
      + 'a webhook refuses those that the composer could not compose or apply', false)
    .option('--cert-manager', "have cert-manager make the webhooks' certificate; by default the composer makes it", false)
    .option('--service-monitor', 'with a ServiceMonitor: Prometheus Operator has the metrics scraped', false)
    .option('--alerts', 'with a PrometheusRule of the Prometheus Operator: alerts for these metrics', false)
    .option('--replicas <n>', 'pods; one of them works, the others wait', integer(1, MOST_REPLICAS), 2)
    .option('--api-server-port <port>', 'port of the API server besides 443, for the NetworkPolicy', integer(1, 65_535), 6443)
    .option('--apply', 'apply the objects, and delete what earlier revisions and options left', false)
    .option('--dry-run', 'ask the cluster what --apply would change, and change nothing', false);
  addConnectionOptions(command)
    .addOption(outputOption('how to print the objects, or with --apply and --dry-run the changes'))
    .addHelpText('after', `
Run it again after a change of the definition: the bundle of each revision is a ConfigMap of its own, and the pods are replaced. With --apply
the missing rights of this user are named first, and nothing is applied where a CRD belongs to another composer, or the cluster refuses an object.
${GUIDE}

Exit status: 0 when done; 1 when there were problems, one line each on standard error; 2 for a wrong command line.

Examples:
  cdk8s-aso api install bucket.ts > install.yaml
  cdk8s-aso api install bucket.ts | kubectl apply --server-side -f -
  cdk8s-aso api install bucket.ts --dry-run --context staging
  cdk8s-aso api install dist/bundle.js --apply -n platform-api
  cdk8s-aso api install bucket.ts --image registry.example.com/buckets:1.2.3 --bundle-in-image --apply`)
    .action(async (file: string, options: InstallCommandOptions) => {
      const { installComposer } = await import('./installation/install-composer');
      done(await installComposer(file, options, terminal, process.env));
    });
}

/** Adds `api uninstall`. */
export function addUninstallCommand(api: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = api
    .command('uninstall')
    .summary('remove a composer from a cluster')
    .description('Deletes the objects of api install. CRDs and claims stay, unless --with-claims is given. '
      + 'What was composed for the claims stays in any case.');
  addConnectionOptions(addComposerOptions(command))
    .option('--with-claims', 'delete the CRDs of the composer too, and so all claims', false)
    .option('--dry-run', 'only say what would be deleted', false)
    .option('-y, --yes', 'do not ask', false)
    .addOption(outputOption())
    .addHelpText('after', `
To delete what was composed, delete the claims first, while the composer runs.
${GUIDE}

Exit status: 0 when done; 1 when there is no such composer, or a right is missing; 2 for a wrong command line, and when not confirmed.

Examples:
  cdk8s-aso api uninstall --dry-run
  cdk8s-aso api uninstall -n platform-api --yes
  cdk8s-aso api uninstall --with-claims --context staging`)
    .action(async (options: UninstallOptions) => {
      const { uninstallComposer } = await import('./installation/uninstall-composer');
      const confirm = process.stdin.isTTY ? askUser : undefined;
      done(await uninstallComposer(options, terminal, { environment: process.env, confirm }));
    });
}

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
  };
}
