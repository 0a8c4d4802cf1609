import { InvalidArgumentError, Option, type Command } from 'commander';
import type { DiffOptions } from './diff';
import { UUID } from '../../src/azure/uuid';
import { documentation } from '../../src/documentation';
import { catalogOption, type AddedCatalogs } from '../catalog/catalog-option';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `diff` to a program. The comparison itself is loaded only when the command is used. */
export function addDiffCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('diff')
    .summary('say what changes in Azure from one synth to another')
    .description('Compares two sets of manifests, without a cluster and without Azure, and says what becomes of resources in Azure, of roles, of credentials and of guard rails.')
    .argument('<old>', 'manifests as they are applied now: a file (YAML or JSON) or a directory')
    .argument('<new>', 'manifests as they are to be')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json', 'markdown']).default('text'))
    .option('-v, --verbose', 'list other Kubernetes objects, and every property', false)
    .option('--exit-code', 'exit with 1 when there are differences, and with 2 when there are problems', false)
    .option(
      '-s, --subscription <id>',
      'the subscription of objects whose credential is not in the files; AZURE_SUBSCRIPTION_ID by default',
      subscription,
    )
    .addOption(catalogOption());
  addInsideOption(addFileOptions(command))
    .addHelpText('after', `
What is deleted in Azure comes first, data before all. An object that is not in NEW counts as deleted, as a pruning GitOps tool would do it.
Files are read as kubectl apply -f reads them; - is the standard input, for one of the two. Values that may be secrets are never shown.
Sections and the JSON output: ${documentation('docs/diff.md')}

Exit status: 0 when all files were good; 1 when there are problems, one line each on standard error (the rest is compared);
2 for a wrong command line. With --exit-code: 0 no differences, 1 differences, 2 problems.

Examples:
  cdk8s-aso diff deployed/ dist/
  cdk8s-aso diff --output markdown main/dist/ dist/ > comment.md
  kustomize build . | cdk8s-aso diff --exit-code deployed.yaml -`)
    .action(async (old: string, next: string, options: DiffOptions & AddedCatalogs) => {
      (await import('../catalog/added-catalogs')).addCatalogs(options.catalog);
      const { diff } = await import('./diff');
      done(diff(old, next, options, terminal, process.env));
    });
}

function subscription(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
