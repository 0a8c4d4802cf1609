import { Option, type Command } from 'commander';
import type { CheckOptions } from './check';
import { documentation } from '../../src/documentation';
import { catalogOption, type AddedCatalogs } from '../catalog/catalog-option';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `check` to a program. The rules themselves are loaded only when the command is used. */
export function addCheckCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('check')
    .summary('find what the cluster, the operator or Azure would refuse later')
    .description('Compares the Azure objects of manifests with the schemas of their kinds, with what webhooks and Azure refuse, and with what is known to hurt, without a cluster and without Azure.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addOption(
      new Option('--severity <least>', 'print findings of this severity and above').choices(['error', 'warning', 'info']).default('info'),
    )
    .option('-R, --recursive', 'directories with all below them: each kustomization, chart and directory of files is a set by itself', false)
    .option('--strict', 'warnings count as errors, and variables such as ${TEAM} are taken as they are written', false)
    .option('--release <version>', 'the release of Azure Service Operator that the clusters run, e.g. v2.9.0')
    .option('-v, --verbose', 'a line for each finding, also of one cause', false)
    .addOption(catalogOption());
  addInsideOption(addFileOptions(command))
    .addHelpText('after', `
One line a finding: file:line: severity rule-id Kind namespace/name: field: what; why; fix. Findings of one cause share it,
and of one rule the first ten causes are printed.
A rule that does not concern an object is suppressed on it, with a reason: aso.cdk8s.io/ignore-rules: "rule-id: reason; rule-id: reason"
Files are read as kubectl apply -f reads them; - is the standard input. A directory with kustomization.yaml is built with kustomize or
kubectl, a chart rendered with helm, where they are on the PATH. -R reads a repository: each kustomization,
chart and directory is a set. Values that come later (\${TEAM}, $(TEAM), {{ .team }}, <TEAM>) are not known, and counted; --set,
--env-file and the postBuild of Flux's objects in the files fill them in.
Azure objects in objects of Cluster API, kro, Crossplane, Flux, Argo and others are checked where they are.
Rules and the JSON output: ${documentation('docs/checks.md')}

Exit status: 0 when there are no errors; 1 when there are (with --strict, or warnings); 2 for a wrong command line.

Examples:
  cdk8s-aso check dist/
  cdk8s-aso check --severity warning --strict manifests/
  cdk8s-aso check --release v2.9.0 dist/
  cdk8s-aso check --set TEAM=shop --env-file prod.env clusters/prod/
  cdk8s-aso check overlays/prod
  cdk8s-aso check -R .
  kustomize build . | cdk8s-aso check --output json -`)
    .action(async (files: string[], options: CheckOptions & AddedCatalogs) => {
      (await import('../catalog/added-catalogs')).addCatalogs(options.catalog);
      const { check } = await import('./check');
      done(check(files, options, terminal));
    });
}
