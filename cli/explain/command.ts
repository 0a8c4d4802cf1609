import { Option, type Command } from 'commander';
import type { ExplainOptions } from './explain';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `explain` to a program. The implementation is loaded only when the command is used. */
export function addExplainCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('explain')
    .summary('say what a kind or a property is, with an example')
    .description('Explains a service, a kind or a property from the catalog: meaning, type, allowed values, default, whether it can be changed, its place in Azure, an example.')
    .argument('[path]', 'SERVICE, SERVICE.KIND or SERVICE.KIND.PROPERTY; without it, all services')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('-r, --recursive', 'the properties below the properties, too', false)
    .option('--api-version <version>', 'of the kind; the newest stable one by default, e.g. v20230101')
    .addHelpText('after', `
A kind is also found as kubectl names it: storage.azure.com/StorageAccount, storageaccounts.storage.azure.com, storageaccount.
Guide: ${documentation('docs/explain.md')}

Exit status: 0 when it was printed; 2 when there is no such kind or property.

Examples:
  cdk8s-aso explain storage
  cdk8s-aso explain storage.StorageAccount.networkAcls
  cdk8s-aso explain managedcluster.agentPoolProfiles --recursive
  cdk8s-aso explain storage.azure.com/StorageAccount --api-version v20230101 --output json`)
    .action(async (path: string | undefined, options: ExplainOptions) => {
      const { explain } = await import('./explain');
      done(explain(path, options, terminal));
    });
}
