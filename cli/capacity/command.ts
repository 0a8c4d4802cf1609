import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CapacityCommandOptions } from './run';
import { parseDuration } from '../../engine/duration';
import { UUID } from '../../src/azure/uuid';
import { documentation } from '../../src/documentation';
import { catalogOption, type AddedCatalogs } from '../catalog/catalog-option';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `capacity` to a program. The implementation is loaded only when the command is used. */
export function addCapacityCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('capacity')
    .summary('say how many requests manifests cost, and how long they take')
    .description('Counts, without a cluster and without Azure, the requests to Azure Resource Manager for the Azure objects of manifests, against Azure\'s limits: under Azure Service Operator and under this controller.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .addOption(
      new Option('--sync-period <duration>', 'AZURE_SYNC_PERIOD of the controller, e.g. 15m, 1h30m; or never')
        .default(3_600_000, '1h')
        .argParser(syncPeriod),
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('-v, --verbose', 'a line a kind as well', false)
    .option(
      '-s, --subscription <id>',
      'the subscription of objects whose credential is not in the files; AZURE_SUBSCRIPTION_ID by default',
      subscription,
    )
    .addOption(catalogOption());
  addInsideOption(addFileOptions(command))
    .addHelpText('after', `
Azure limits requests for each subscription and principal; so does this count: a block each. The limit is what Azure gives back a second: 25 reads,
10 writes. PUT and POST (the listing of keys) are writes. At the peak all objects were made at once, and their syncs are spread by ± 25 %.
Times are medians of recorded traffic, and the least that it takes: retries, and what others send as the same principal, come on top.
Files are read as kubectl apply -f reads them; - is the standard input.
Formulas and the JSON output: ${documentation('docs/capacity.md')}

Exit status: 0 when all files were good; 1 when there are problems, one line each on standard error (the rest is counted); 2 for a wrong command line.

Examples:
  cdk8s-aso capacity dist/
  cdk8s-aso capacity --sync-period 15m --verbose dist/
  kubectl get azure -A -o yaml | cdk8s-aso capacity --output json -`)
    .action(async (files: string[], options: CapacityCommandOptions & AddedCatalogs) => {
      (await import('../catalog/added-catalogs')).addCatalogs(options.catalog);
      const { capacity } = await import('./run');
      done(capacity(files, options, terminal, process.env));
    });
}

function syncPeriod(text: string): number | 'never' {
  if (text.toLowerCase() === 'never') return 'never';
  const period = parseDuration(text);
  if (period !== undefined && period > 0) return period;
  throw new InvalidArgumentError('Give a duration such as 15m or 1h30m, or never.');
}

function subscription(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
