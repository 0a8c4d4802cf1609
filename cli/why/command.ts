import { Option, type Command } from 'commander';
import type { WhyOptions } from './run';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `why` to a program. The implementation is loaded only when the command is used. */
export function addWhyCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('why')
    .summary('explain why an object of a cluster is not Ready, and what to do')
    .description('Explains one Azure object of a cluster: the cause at the end of what it waits for, its conditions, owners, references, credential, policy and controller, Azure\'s last answer with its request id, what happens next, and what to do. The cluster is only read.')
    .argument('<object...>', 'KIND/NAME, or KIND NAME: StorageAccount/data, storageaccounts/data, st/data, StorageAccount.storage.azure.com data')
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config by default')
    .option('--context <name>', 'the context in the kubeconfig; the current one by default')
    .option('-n, --namespace <name>', 'the namespace of the object (default: that of the context, else default)')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--exit-code', 'exit with 1 when the object is not Ready, and with 2 when it could not be read', false)
    .addHelpText('after', `
Reads the Azure objects of the namespace, the Secrets and ConfigMaps that they wait for (only their keys are used), and the events of the
object. What may not be read is said.
Guide: ${documentation('docs/why.md')}

Exit status: 0 when the object was explained; 1 when it is not there or the cluster does not answer; 2 for a wrong command line. With
--exit-code: 0 it is Ready, 1 it is not, 2 it could not be read.

Examples:
  cdk8s-aso why StorageAccount/data -n shop
  cdk8s-aso why rg/shop -n shop
  cdk8s-aso why roleassignments.authorization.azure.com reader -n shop --output json`)
    .action(async (words: string[], options: WhyOptions) => {
      const { runWhy } = await import('./run');
      done(await runWhy(words, options, terminal, process.env));
    });
}
