import { InvalidArgumentError, Option, type Command } from 'commander';
import type { TransferCommandOptions } from './run';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `transfer` to a program. The implementation is loaded only when the command is used. */
export function addTransferCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('transfer')
    .summary('move objects to another namespace or cluster, without a change in Azure')
    .description('Moves Azure objects to another namespace or cluster: one owner at a time, and nothing is deleted in Azure. Without --run it prints what stands against it, and its steps.')
    .requiredOption('-n, --namespace <name>', 'the namespace that is left')
    .option('--kubeconfig <file>', 'the kubeconfig; KUBECONFIG or ~/.kube/config by default')
    .option('--context <name>', 'the context in the kubeconfig; the current one by default')
    .option('--to-namespace <name>', 'the other namespace; the same by default')
    .option('--to-context <name>', 'the context of the other cluster; the same cluster by default')
    .option('--to-kubeconfig <file>', 'the kubeconfig of the other cluster; the same by default')
    .option('-l, --selector <labels>', 'only objects with these labels, e.g. app=shop; default: all Azure objects of the namespace')
    .option('--check', 'only what stands against it')
    .option('--run', 'carry it out, or go on after an interruption')
    .option('--undo', 'take back a transfer that was not handed over yet')
    .option('--copy-values', 'copy the Secrets and ConfigMaps that the objects read, where they are not there', false)
    .option('--managed', 'transfer objects as well that Argo CD, Flux or Helm applies', false)
    .option('-y, --yes', 'do not ask', false)
    .option('--timeout <minutes>', 'longest wait for one step', minutes, 30)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', `
The steps: the old objects get the policy skip; copies of them are applied, which only read, and must mean the same resources; the copies get
the old policies; the old objects are removed. A ConfigMap in the old namespace is the journal: run the command again after an interruption.
Guide: ${documentation('docs/transfer.md')}

Exit status: 0 when it is done, or nothing stands against it; 1 when something does, or a step was not completed; 2 for a wrong command line.

Examples:
  cdk8s-aso transfer -n shop --to-namespace shop-eu
  cdk8s-aso transfer -n shop --to-context new-cluster --copy-values --run
  cdk8s-aso transfer -n shop --to-context new-cluster --undo`)
    .action(async (options: TransferCommandOptions) => {
      const { runTransfer } = await import('./run');
      done(await runTransfer(options, terminal, process.env));
    });
}

function minutes(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0 && number <= 24 * 60) return number;
  throw new InvalidArgumentError('Give minutes, at most a day.');
}
