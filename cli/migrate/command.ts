import { Argument, Option, type Command } from 'commander';
import type { MigrateCommand, MigrateOptions } from './run';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `migrate` to a program. The implementation is loaded only when the command is used. */
export function addMigrateCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('migrate')
    .summary("hand a cluster over from Azure Service Operator to this package's controller, or back")
    .description("Hands a live cluster over from Azure Service Operator (ASO) to this package's controller, or back. Nothing is sent to Azure.")
    .addArgument(new Argument('[direction]', 'from ASO to this controller, or back; abort takes an unfinished migration back').choices(['from-aso', 'to-aso', 'abort']))
    .option('--check', 'look at the cluster and change nothing (this is what happens without --plan and --run)', false)
    .option('--plan', 'print the steps with their counts, and change nothing', false)
    .option('--run', 'carry the steps out, or go on with those that an interrupted run has left', false)
    .option('--status', 'print how far a migration is, how it goes on, and what leads back', false)
    .option('--install <file>', 'manifests of the controller that takes over, or a directory of them: BundledController, or the CRDs and the rendered chart of ASO; may be repeated', collected, [])
    .option('-y, --yes', 'do not ask for confirmation', false)
    .option('--kubeconfig <file>', 'which cluster (KUBECONFIG, ~/.kube/config)')
    .option('--context <name>', 'the context in the kubeconfig')
    .option('-n, --namespace <name>', "the operator's namespace (default: that of the Deployment found, else azureserviceoperator-system)")
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', `
The journal is the ConfigMap cdk8s-aso-migration in the operator's namespace: a run that was interrupted, or killed, goes on where it was.
abort starts the old controller again, with all objects as they were, until its CRDs are replaced (from-aso) or it is removed (to-aso). After
that, to-aso leads back, also from the middle of from-aso. --status names the way.

Until the new webhooks answer, objects are read and deleted in the stored version alone, and from-aso refuses writes in the other versions. Guide: ${documentation('docs/migrate-from-aso.md')}

Without --install, to-aso stops where you have to install ASO with Helm, and prints how; the next run goes on.

Exit status: 0 when nothing stands in the way (--check, --plan), when no migration is under way (--status), or when the cluster is handed over or taken back (--run); 1 when something does, one line
each, or when it waits for you; 2 for a wrong command line.

Examples:
  cdk8s-aso migrate from-aso --check
  cdk8s-aso migrate from-aso --plan --install dist/controller.k8s.yaml
  cdk8s-aso migrate from-aso --run --install dist/controller.k8s.yaml
  cdk8s-aso migrate from-aso --run --yes --install dist/controller.k8s.yaml --output json
  cdk8s-aso migrate to-aso --run --install aso-crds.yaml --install aso-chart.yaml
  cdk8s-aso migrate to-aso --run
  cdk8s-aso migrate --status
  cdk8s-aso migrate abort --run`)
    .action(async (command: MigrateCommand | undefined, options: MigrateOptions) => {
      const { runMigrate } = await import('./run');
      done(await runMigrate(command, options, terminal, process.env));
    });
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
