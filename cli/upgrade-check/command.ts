import { Option, type Command } from 'commander';
import type { UpgradeCheckOptions } from './run';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import { addInsideOption } from '../manifests/inside/inside-option';
import { addValueOptions } from '../manifests/later/value-options';
import type { Terminal } from '../output/terminal';

/** Adds `upgrade-check` to a program. The implementation is loaded only when the command is used. */
export function addUpgradeCheckCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('upgrade-check')
    .summary('find what an upgrade of the operator will break, and rewrite manifests')
    .description('Compares manifests, or the objects and CRDs of a cluster, with what a release of Azure Service Operator no longer takes: API versions and properties that go, versions that objects are stored in, defaults and settings that change.')
    .argument('[file...]', 'manifests (YAML or JSON), or directories of them')
    .option('--cluster', 'the objects and CRDs of the cluster (KUBECONFIG, ~/.kube/config) as well, or alone', false);
  addInsideOption(addClusterOptions(command, { optional: true }))
    .option('--operator-namespace <name>', 'where the operator runs, for its settings', 'azureserviceoperator-system')
    .option('--from <release>', 'the release that runs, e.g. v2.9.0; by default that of the CRDs of the cluster, else every earlier one')
    .option('--to <release>', 'the release to go to; by default the newest that is known')
    .option('-R, --recursive', 'directories with all below them', false)
    .option('--fix', 'rewrite the files to versions and properties that the release takes', false)
    .option('--strict', 'warnings count as errors', false)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'));
  addValueOptions(command)
    .addHelpText('after', `
One line a finding, errors first: file:line: severity id Kind namespace/name: field: what; why; fix. Findings of one cause share it.
--fix changes API versions, the properties that have a successor, and objects of Azure Service Operator v1; comments and order stay.
Variables in the files stay. The cluster is only read.
Guide: ${documentation('docs/upgrade-check.md')}

Exit status: 0 when nothing stands against the upgrade; 1 when something does (with --strict, or warnings), or could not be read; 2 for a
wrong command line. With --fix, what was rewritten does not count.

Examples:
  cdk8s-aso upgrade-check --from v2.9.0 --to v2.19.0 manifests/
  cdk8s-aso upgrade-check --fix --to v2.21.0 manifests/
  cdk8s-aso upgrade-check -R --fix --to v2.21.0 .
  cdk8s-aso upgrade-check --env-file prod.env --to v2.21.0 clusters/prod/
  cdk8s-aso upgrade-check --cluster --to v2.21.0
  cdk8s-aso upgrade-check --context staging --output json`)
    .action(async (files: string[], options: UpgradeCheckOptions) => {
      const { runUpgradeCheck } = await import('./run');
      done(await runUpgradeCheck(files, options, terminal, process.env));
    });
}
