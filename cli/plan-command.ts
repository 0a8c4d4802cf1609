import { InvalidArgumentError, Option, type Command } from 'commander';
import type { PlanOptions } from './plan';
import type { Terminal } from './terminal';

/** Adds `plan` to a program. The plan itself is loaded only when the command is used. */
export function addPlanCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('plan')
    .summary('print the requests to Azure for the objects of manifests')
    .description('Prints, without a cluster and without Azure, the request to Azure Resource Manager for every Azure object in the files, in the order in which they would be sent.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('-s, --subscription <id>', 'the subscription of the ids; AZURE_SUBSCRIPTION_ID by default', subscription)
    .addHelpText('after', `
Values that exist only later are shown as <configmap:NAME/KEY>, secrets always as <secret:NAME/KEY>.
Files are read as kubectl apply -f reads them; - is the standard input.

Exit status: 0 when every object has its request; 1 when there are problems, one line each on standard error; 2 for a wrong command line.

Examples:
  cdk8s-aso plan dist/
  cdk8s-aso plan --output json --subscription 11111111-2222-3333-4444-555555555555 app.yaml`)
    .action(async (files: string[], options: PlanOptions) => {
      const { plan } = await import('./plan');
      done(plan(files, options, terminal, process.env));
    });
}

function subscription(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
