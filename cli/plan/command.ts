import { InvalidArgumentError, Option, type Command } from 'commander';
import type { PlanOptions } from './plan';
import { UUID } from '../../src/azure/uuid';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import { addFileOptions } from '../manifests/file-options';
import { addInsideOption } from '../manifests/inside/inside-option';
import type { Terminal } from '../output/terminal';

/** Adds `plan` to a program. The plan itself is loaded only when the command is used. */
export function addPlanCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('plan')
    .summary('print the requests to Azure for the objects of manifests')
    .description('Prints, without a cluster and without Azure, the request to Azure Resource Manager for every Azure object in the files, in the order in which they would be sent. With --live: what the requests would change, by what is in Azure now.')
    .argument('[file...]', 'manifests (YAML or JSON), or directories of them')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json', 'markdown']).default('text'))
    .option('--live', 'compare with what is in Azure, which is only read', false)
    .option('--exit-code', 'with --live: exit with 1 when there are changes, and with 2 when there are problems', false)
    .option('--cluster', 'with --live: the objects of the cluster (KUBECONFIG, ~/.kube/config) as well, or alone', false);
  addInsideOption(addFileOptions(command));
  addClusterOptions(command, { optional: true })
    .option('--prune', 'objects of the cluster, in namespaces of the files, that are not in the files count as removed', false)
    .option('-s, --subscription <id>', 'the subscription of the ids; AZURE_SUBSCRIPTION_ID by default', subscription)
    .addHelpText('after', `
Values that exist only later are shown as <configmap:NAME/KEY>, variables of the files as <\${NAME}>, secrets always as <secret:NAME/KEY>.
Azure objects in objects of other tools (Cluster API, kro, Crossplane, …) are planned as these tools apply them; templates have no request.
Files are read as kubectl apply -f reads them; - is the standard input.

--live reads each resource (GET, nothing else) with the identity that the controller's variables name (AZURE_TENANT_ID, AZURE_CLIENT_ID, …),
or that of az login, and says create, update (which properties), no change, delete, or unknown. Without a cluster it cannot tell deletions
(diff does). With --cluster and no file it tells of all objects of the cluster; with files, of those, as applying them would leave them.
Guide: ${documentation('docs/plan.md')}

Exit status: 0 when every object has its request; 1 when there are problems, one line each on standard error, or when Azure cannot be read;
2 for a wrong command line. With --live --exit-code: 0 no changes, 1 changes, 2 problems.

Examples:
  cdk8s-aso plan dist/
  cdk8s-aso plan --output json --subscription 11111111-2222-3333-4444-555555555555 app.yaml
  cdk8s-aso plan --output markdown dist/ > comment.md
  cdk8s-aso plan --live --output markdown dist/ > comment.md
  cdk8s-aso plan --live --context staging -n shop
  cdk8s-aso plan --live --cluster --prune dist/`)
    .action(async (files: string[], options: PlanOptions) => {
      if (options.live) {
        const { planLive } = await import('./live/plan-live');
        done(await planLive(files, options, terminal, process.env));
        return;
      }
      const { plan } = await import('./plan');
      done(plan(files, options, terminal, process.env));
    });
}

function subscription(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
