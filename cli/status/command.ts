import { Option, type Command } from 'commander';
import type { StatusOptions } from './status-options';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import type { Terminal } from '../output/terminal';

/** Adds `status` to a program. The implementation is loaded only when the command is used. */
export function addStatusCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('status')
    .summary('show what the Azure objects of a cluster do, and what the others wait for')
    .description('Shows the Azure objects of a cluster: how many are in which state, what the others wait for (the one cause at the end of each chain), and the owner graph with state, reason and age. The cluster is only read.');
  addClusterOptions(command)
    .option('-w, --watch', 'go on, and show what changes, until Ctrl-C', false)
    .option('-k, --kind <kind>', 'only this kind: StorageAccount, storageaccounts, st, StorageAccount.storage.azure.com; repeatable', collected, [])
    .option('--state <state>', 'only objects in this state, in any case; repeatable', collected, [])
    .option('-l, --selector <labels>', 'only objects with these labels, as for kubectl: team=shop,tier!=test')
    .addOption(new Option('--group-by <what>', 'cause: each cause with its objects; namespace: the owner graph alone').choices(['cause', 'namespace']))
    .option('--no-fold', 'a line for every object, also where many are Ready')
    .addOption(new Option('-o, --output <format>', 'how to print; wide has messages and ARM ids').choices(['text', 'wide', 'json']).default('text'))
    .option('--exit-code', 'exit with 1 when an object is not Ready, and with 2 when something could not be read', false)
    .addHelpText('after', `
States: Ready, Suspended (in sync under policy skip), Reconciling, Unclaimed (no controller has looked at it), Stale (no controller has
looked at its newest spec), Deleting, Waiting, Warning (is tried again), Error (is not tried again before something changes).
Needs list on the kinds, and get on Secrets and ConfigMaps (only their keys are used). What may not be read is said.
Guide: ${documentation('docs/status.md')}

Exit status: 0 when all was read; 1 when something could not be read, one line each on standard error, or the cluster does not answer; 2 for a
wrong command line. With --exit-code: 0 all objects are Ready, 1 some are not, 2 something could not be read.

Examples:
  cdk8s-aso status
  cdk8s-aso status --watch -n shop
  cdk8s-aso status --state Error --state Warning --group-by cause
  cdk8s-aso status --output json --exit-code`)
    .action(async (options: StatusOptions) => {
      const { runStatus } = await import('./run');
      done(await runStatus(options, terminal, process.env));
    });
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, ...text.split(',')];
}
