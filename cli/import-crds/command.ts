import { Option, type Command } from 'commander';
import type { ImportCrdsOptions } from './import-crds';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `import-crds` to a program. The code generation is loaded only when the command is used. */
export function addImportCrdsCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('import-crds')
    .summary('make typed constructs of CRDs that the library does not come with')
    .description(
      "Writes a TypeScript class for each kind of newer or private CRDs of Azure Service Operator, with the same core as the library's own: owners, references, outputs, checks.",
    )
    .argument(
      '<source...>',
      'files or directories of CRDs (- is the standard input), https addresses, or the word cluster: the cluster of the kubeconfig',
    )
    .option('--out <dir>', 'where to write', 'imports/azure')
    .addOption(new Option('-o, --output <format>', 'how to print what was done').choices(['text', 'json']).default('text'))
    .option('--all', 'take CRDs of other groups than *.azure.com as well', false)
    .option('--include-built-in', 'write classes as well for versions that the library has just so', false)
    .option('--esm', 'the project has ECMAScript modules: import files as ./name.js', false)
    .option('--force', 'overwrite files that this command did not write, or that were changed since', false)
    .option('--kubeconfig <file>', 'kubeconfig for cluster; default: KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; default: the current one')
    .addHelpText('after', `
Of each kind, versions that the library has just so are left to the library. Storage versions and versions that are not served are left out.
The class is made for the newest stable version; the others are chosen by its property apiVersion. The catalog.json beside the code is for
cdk8s-aso check --catalog and cdk8s-aso graph --catalog.
Facts that a CRD has and that it lacks: ${documentation('docs/import-crds.md')}

Exit status: 0 when every CRD was imported or skipped for a reason that is named; 1 when one could not be read; 2 for a wrong command line.

Examples:
  cdk8s-aso import-crds widgets.yaml
  cdk8s-aso import-crds cluster --out src/azure --output json
  cdk8s-aso import-crds https://example.com/crds/widgets.yaml`)
    .action(async (sources: string[], options: ImportCrdsOptions) => {
      const { importCrdsCommand } = await import('./import-crds');
      done(await importCrdsCommand(sources, options, terminal));
    });
}
