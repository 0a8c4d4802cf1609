import { InvalidArgumentError, type Command } from 'commander';
import type { UiOptions } from './run';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import type { Terminal } from '../output/terminal';

/** Adds `ui` to a program. The implementation is loaded only when the command is used. */
export function addUiCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  addClusterOptions(program
    .command('ui')
    .summary('show the objects of a cluster, live, on a local page')
    .description('Serves a page on this machine, until Ctrl-C, that shows the Azure objects of a cluster as they are: the owner graph, root causes first, and of each object its cause with advice, conditions, relations, events, requests, YAML and plan. The cluster is only read.'))
    .option('--port <n>', 'port of the page; a free one by default', port)
    .option('--open', 'open the page in the browser', false)
    .addHelpText('after', `
The page is served on 127.0.0.1 only, to who has the token in the printed address. Secrets are read only where an object waits for one, and
only their keys are used. What may not be read is said.
Guide: ${documentation('docs/ui.md')}

Exit status: 0 when it was ended with Ctrl-C; 1 when the cluster does not answer, or the port is taken; 2 for a wrong command line.

Examples:
  cdk8s-aso ui --open
  cdk8s-aso ui --context production -n shop
  cdk8s-aso ui --port 8090`)
    .action(async (options: UiOptions) => {
      const { runUi } = await import('./run');
      done(await runUi(options, terminal, process.env));
    });
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('Give a port.');
  return value;
}
