import { Option, type Command } from 'commander';
import type { OrphansOptions } from './run';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `orphans` to a program. The implementation is loaded only when the command is used. */
export function addOrphansCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('orphans')
    .summary('find resources without an object, and objects without a resource')
    .description('Compares what is in Azure with the objects of manifests, of a cluster, or of both: resources that no object stands for, and objects whose resource is no longer there. Azure and the cluster are only read.')
    .argument('[file...]', 'manifests (YAML or JSON), or directories of them')
    .option('--scope <arm-id>', 'a subscription, resource group or resource to look in; by default the resource groups of the objects', collected, [])
    .option('--cluster', 'the objects of the cluster (KUBECONFIG, ~/.kube/config) as well, or alone', false);
  addInsideOption(addFileOptions(command));
  addClusterOptions(command, { optional: true })
    .option('-s, --subscription <id>', 'the subscription of objects that name none; AZURE_SUBSCRIPTION_ID by default')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--exit-code', 'exit with 1 when there are orphans, and with 2 when something could not be read', false)
    .addHelpText('after', `
The identity that reads is that of the controller's variables (AZURE_TENANT_ID, AZURE_CLIENT_ID, …), or that of az login. It needs the role
Reader. What Azure makes by itself, and what has no kind, does not count.
Guide: ${documentation('docs/orphans.md')}

Exit status: 0 when all was compared; 1 when something could not be read, one line each on standard error; 2 for a wrong command line. With
--exit-code: 0 no orphans, 1 orphans, 2 something could not be read.

Examples:
  cdk8s-aso orphans dist/
  cdk8s-aso orphans --scope /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/shop --cluster
  cdk8s-aso orphans --cluster --output json --exit-code`)
    .action(async (files: string[], options: OrphansOptions) => {
      const { runOrphans } = await import('./run');
      done(await runOrphans(files, options, terminal, process.env));
    });
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
