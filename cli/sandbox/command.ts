import { InvalidArgumentError, Option, type Command } from 'commander';
import type { SandboxOptions } from './options';
import { parseDuration } from '../../engine/duration';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `sandbox` to a program. The sandbox itself is loaded only when the command is used. */
export function addSandboxCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('sandbox')
    .summary('bring manifests to Ready without Azure and without a cluster')
    .description('Starts an embedded Kubernetes API, an Azure simulator and the controller, applies the files and shows how their Azure objects become Ready.')
    .argument('[file...]', 'manifests (YAML or JSON), or directories of them')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--keep', 'stay up until it is stopped (Ctrl-C)')
    .option('--ui', 'show the objects live on a local page (cdk8s-aso ui), and stay up until it is stopped')
    .option('--kubeconfig <file>', 'write the kubeconfig there')
    // Not --env-file: Node 20 takes that for its own, wherever it stands.
    .option('--write-env <file>', 'write the environment for a controller of your own there')
    .option('--timeout <duration>', 'give up after so long, e.g. 90s or 5m', duration)
    .option('--time-scale <n>', 'so many of Azure\'s seconds pass in one', positive, 60)
    .option('--kubernetes-port <n>', 'port of the Kubernetes API; a free one by default', port)
    .option('--azure-port <n>', 'port of the Azure simulator; a free one by default', port)
    .option('--seed <text>', 'the same seed gives the same ids and keys')
    .option('--existing <id>', 'ARM id of a resource that is there from the start; may be repeated', collect, [])
    .option('--allow-foreign-scopes', 'role assignments and the like may sit on resources that were never made here')
    .option(
      '--principal-delay <seconds>',
      "Azure's seconds until a new identity, its trust or its role is known everywhere; identities then need roles",
      positive,
    )
    .option('--contrary [seed]', 'Azure answers in other spellings and ways, as it was seen to do; the same seed gives the same ways')
    .option('--aks-kubeconfig <file>', 'the kubeconfig that AKS clusters hand out, of a cluster that stands behind them')
    .option('--azure-types <dir>', "Microsoft's types (bicep-types-az): bodies that break them are refused")
    .option('--limits', "Azure's limits refuse requests beyond them with 429")
    .option('--no-azure-rules', 'the simulator takes what Azure refuses by the rules of cdk8s-aso check (docs/azure-rules.md)')
    .option(
      '--strict',
      'strict workload identity: the controller signs in as aso-workload of each namespace; by default as AZURE_WORKLOAD_IDENTITY_AUTH_MODE says',
    )
    .option('--controller-log <file>', "write the controller's log there")
    .option('--no-controller', 'start no controller')
    .addHelpText('after', `
With AZURE_RESOURCE_MANAGER_ENDPOINT set, the controller works on that Azure with the credentials of the environment, and no simulator is started.
Guide: ${documentation('docs/sandbox.md')}

Exit status: 0 when all Azure objects are Ready and all files were good; 1 otherwise, with the reasons; 2 for a wrong command line.

Examples:
  cdk8s-aso sandbox dist/
  cdk8s-aso sandbox --ui dist/
  cdk8s-aso sandbox --keep --kubeconfig kc dist/ & kubectl --kubeconfig kc get azure -A`)
    .action(async (files: string[], options: SandboxOptions) => {
      const { sandbox } = await import('./sandbox');
      done(await sandbox(files, options, terminal, process.env));
    });
}

function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds <= 0) throw new InvalidArgumentError('Give a duration such as 90s or 5m.');
  return milliseconds;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('Give a number greater than 0.');
  return value;
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError('Give a port.');
  return value;
}

function collect(text: string, before: string[]): string[] {
  return [...before, text];
}
