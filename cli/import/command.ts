import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ImportCommandOptions } from './run';
import { DNS_LABEL } from '../../src/azure/dns-name';
import { isLabelValue, isQualifiedName } from '../../src/azure/qualified-name';
import { UUID } from '../../src/azure/uuid';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `import` to a program. The import itself is loaded only when the command is used. */
export function addImportCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('import')
    .summary('turn what is in Azure into TypeScript or YAML')
    .description('Reads resources of Azure, with their children and what extends them, and writes the constructs or manifests that stand for them. Azure is only read.')
    .argument('[arm-id...]', 'ids of resources, resource groups or subscriptions')
    .optionsGroup('What to import, besides ids:')
    .option('--query <text>', 'resources by type, name and tag: "type=Microsoft.Storage/* name=shop* tag.team=payments"', collected, [])
    .option('--terraform-state <file>', 'resources of azurerm and azapi in a state file, or in what terraform show -json prints', collected, [])
    .option('--deployment <arm-id>', 'what a deployment (Bicep, ARM template) made', collected, [])
    .option('-s, --subscription <id>', 'where --query looks; AZURE_SUBSCRIPTION_ID by default', subscription)
    .option('--no-children', 'only the resources themselves')
    .optionsGroup('What to write:')
    .addOption(new Option('--format <format>', 'what to write').choices(['typescript', 'yaml', 'json']).default('typescript'))
    .option('--out <dir>', 'write an app (typescript) or a file for each resource (yaml) there; by default all is printed')
    .addOption(new Option('--policy <policy>', 'what the controller may do: nothing, everything but create and delete, everything')
      .choices(['skip', 'detach-on-delete', 'manage']).default('detach-on-delete'))
    .option('-n, --namespace <name>', 'the namespace of the objects', namespaceName)
    .option('-l, --label <key=value>', 'a label for each object', labels, {})
    .option('-a, --annotation <key=value>', 'an annotation for each object', annotation, {})
    .addOption(new Option('--names <strategy>', 'names of the objects: that in Azure (short), or always after those of the owners (long)')
      .choices(['short', 'long']).default('short'))
    .option('--name-prefix <text>', 'before the name of each object', namePrefix)
    .option('--no-defaults', 'leave out values that Azure takes anyway, as far as they are documented')
    .optionsGroup('How to go about it:')
    .option('--verify', 'plan what was written against what was read, and say what would change', false)
    .option('--state <file>', 'keep what Azure has answered there; the next import with the file goes on from it')
    .addOption(new Option('-w, --workers <n>', 'requests under way at a time').argParser(workers).default(8))
    .addHelpText('after', `
The identity that reads is that of the controller's variables (AZURE_TENANT_ID, AZURE_CLIENT_ID, …), or that of az login. It needs the role
Reader. Nothing but GET is sent, and queries of Azure Resource Graph. Secrets are not read: an object that needs one names a Secret and a
key, and a note says so.
Left out, with the reason: what Azure makes by itself, what is inherited, what has no kind.
Guide: ${documentation('docs/import.md')}

Exit status: 0 when all was imported; 1 when Azure did not answer about some resource, or with --verify when something would change (all
else is written); 2 for a wrong command line, or a directory that is not empty; 130 when it was stopped: nothing is written then.

Examples:
  cdk8s-aso import /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/shop --out app --namespace shop
  cdk8s-aso import --format yaml --policy skip /subscriptions/…/resourceGroups/shop > shop.yaml
  cdk8s-aso import --terraform-state terraform.tfstate --verify --out app`)
    .action(async (ids: string[], options: ImportCommandOptions) => {
      const { runImport } = await import('./run');
      done(await runImport(ids, options, terminal, process.env));
    });
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

function namespaceName(text: string): string {
  if (!DNS_LABEL.test(text)) throw new InvalidArgumentError('Give the name of a namespace.');
  return text;
}

function namePrefix(text: string): string {
  if (!DNS_LABEL.test(text)) throw new InvalidArgumentError('Give lower-case letters, digits and hyphens.');
  return text;
}

function labels(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = text.split(',').map(pair);
  if (!pairs.every(([, value]) => isLabelValue(value))) throw new InvalidArgumentError('Kubernetes does not take the value.');
  return { ...before, ...Object.fromEntries(pairs) };
}

/** Any text after the first `=`. */
function annotation(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [key, value] = pair(text);
  return { ...before, [key]: value };
}

function pair(text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0));
  if (!isQualifiedName(key)) throw new InvalidArgumentError('Give key=value.');
  return [key, text.slice(at + 1)];
}

function workers(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= 64) return count;
  throw new InvalidArgumentError('Give a number from 1 to 64.');
}

function subscription(text: string): string {
  if (UUID.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}
