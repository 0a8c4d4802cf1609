import { Argument, type Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell } from './scripts';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `completion` to a program, and `complete`, which its scripts call at each press of the key. */
export function addCompletionCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('completion')
    .summary('print the script by which a shell completes command lines')
    .description('Prints a script that completes commands, options, their values, kinds and properties.')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', `
Guide: ${documentation('docs/completion.md')}

Exit status: 0 when it was printed; 2 for a shell without a script.

Examples:
  source <(cdk8s-aso completion bash)
  cdk8s-aso completion zsh > "\${fpath[1]}/_cdk8s-aso"
  cdk8s-aso completion fish > ~/.config/fish/completions/cdk8s-aso.fish`)
    .action((shell: Shell) => {
      terminal.print(SCRIPTS[shell]);
      done(0);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'the command line up to the cursor')
    .action(async (words: string[]) => {
      const { candidates } = await import('./candidates');
      const found = candidates(program, words);
      if (found.length > 0) terminal.print(found.join('\n'));
      done(0);
    });
}
