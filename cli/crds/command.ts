import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CrdsOptions } from './crds';
import { DNS_LABEL } from '../../src/azure/dns-name';
import { isLabelValue } from '../../src/azure/qualified-name';
import { documentation } from '../../src/documentation';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `crds` to a program. The implementation is loaded only when the command is used. */
export function addCrdsCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('crds')
    .summary('print the CRDs of just the kinds and versions in use')
    .description('Prints the CustomResourceDefinitions of the Azure kinds that manifests use, in the versions that they use, or the crdPattern with which Azure Service Operator installs them.')
    .argument('[file...]', 'manifests (YAML or JSON), or directories of them')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'))
    .option('--kind <name>', 'this kind, too: StorageAccount, or storage.azure.com/StorageAccount; may be repeated', collect, [])
    .option('--group <name>', 'all kinds of this group, too: storage.azure.com; may be repeated', collect, [])
    .option('--all', 'all kinds', false)
    .option('--pattern', 'print the crdPattern for the chart of Azure Service Operator instead', false)
    .addOption(
      new Option('--conversion <strategy>', "between versions: none, which allows one version a kind, or the operator's webhook")
        .choices(['none', 'webhook'])
        .default('none'),
    )
    .option(
      '-n, --namespace <name>',
      "namespace of the operator, where the webhook's service is",
      namespaceName,
      'azureserviceoperator-system',
    )
    .option('--cert-manager', "have cert-manager fill in the webhook's authority", false)
    .option('--release <version>', 'label app.kubernetes.io/version, e.g. v2.21.0; none by default', labelValue)
    .option('--labels <list>', 'more labels: key=value, separated by commas; may be repeated', collect, []);
  addInsideOption(command)
    .addHelpText('after', `
A kind serves the versions of the objects in the files. A kind that is only named serves its newest stable version, with --conversion webhook all.
Nothing is printed when a file cannot be read or has a kind or version that does not exist.
Files are read as kubectl apply -f reads them; - is the standard input.
Guide: ${documentation('docs/crds.md')}

Exit status: 0 when everything was printed; 1 when there were problems; 2 for a wrong command line.

Examples:
  cdk8s-aso crds dist/ | kubectl apply --server-side -f -
  cdk8s-aso crds --conversion webhook --namespace azureserviceoperator-system dist/ > crds.yaml
  helm upgrade aso2 aso2/azure-service-operator --reuse-values --set crdPattern="$(cdk8s-aso crds --pattern dist/)"`)
    .action(async (files: string[], options: CrdsOptions) => {
      const { crds } = await import('./crds');
      done(crds(files, options, terminal));
    });
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function namespaceName(text: string): string {
  if (!DNS_LABEL.test(text)) throw new InvalidArgumentError('Give the name of a namespace.');
  return text;
}

function labelValue(text: string): string {
  if (text === '' || !isLabelValue(text)) throw new InvalidArgumentError('Give a version such as v2.21.0.');
  return text;
}
