import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GraphOptions } from './graph';
import { UUID } from '../../src/azure/uuid';
import { documentation } from '../../src/documentation';
import { catalogOption, type AddedCatalogs } from '../catalog/catalog-option';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `graph` to a program. The graph itself is loaded only when the command is used. */
export function addGraphCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('graph')
    .summary('draw who owns, refers to and feeds whom')
    .description('Draws the Azure objects of manifests, without a cluster and without Azure: owners around what they own, references, values that flow by ConfigMap or Secret, credentials.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .addOption(
      new Option('-f, --format <format>', 'how to draw; by the ending of --out, else tree').choices([
        'tree',
        'mermaid',
        'dot',
        'svg',
        'json',
      ]),
    )
    .option('--out <file>', 'write it there instead of on the standard output')
    .option(
      '-s, --subscription <id>',
      'the subscription of objects whose credential is not in the files; AZURE_SUBSCRIPTION_ID by default',
      subscription,
    )
    .option(
      '--credentials',
      'who can touch what instead: principals, their roles, the credentials that name them, and the resources that use those',
    )
    .addOption(
      new Option('--roles <file>', 'with --credentials: role definitions, as az role definition list -o json gives them').implies({
        credentials: true,
      }),
    )
    .addOption(
      new Option(
        '--strict',
        'with --credentials: the controller exchanges tokens of aso-workload; by default as aso-controller-settings says',
      ).implies({ credentials: true }),
    )
    .addOption(catalogOption());
  addInsideOption(addFileOptions(command))
    .addHelpText('after', `
In the tree, behind an object:  → what it refers to,  ⇠ values that it reads,  ⊂ an owner elsewhere,  ⚿ a credential of its own.
With --credentials:  ✓ the roles suffice,  ✗ they do not, or there is no credential,  ? not known,  ⚿ the Secret of a credential.
Files are read as kubectl apply -f reads them; - is the standard input.
Guide: ${documentation('docs/graph.md')}

Exit status: 0 when all files were good; 1 when there are problems, one line each on standard error (the rest is drawn); 2 for a wrong command line.

Examples:
  cdk8s-aso graph dist/
  cdk8s-aso graph --out graph.svg dist/
  cdk8s-aso graph --format mermaid dist/ >> README.md
  cdk8s-aso graph --credentials --out who.svg dist/`)
    .action(async (files: string[], options: GraphOptions & AddedCatalogs) => {
      (await import('../catalog/added-catalogs')).addCatalogs(options.catalog);
      const { graph } = await import('./graph');
      done(await graph(files, options, terminal, process.env));
    });
}

function subscription(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
