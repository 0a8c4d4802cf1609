import { Option, type Command } from 'commander';
import { GITOPS, LANGUAGES, PROJECT_TYPES, type InitOptions } from './options';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `init` to a program. What it writes is loaded only when the command is used. */
export function addInitCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  program
    .command('init')
    .summary('start an app in an empty folder')
    .description('Writes an app with a first resource, a test of it, a workflow that shows each pull request what it changes in Azure, and the scripts to try it, and installs what it needs.')
    .argument('[directory]', 'an empty folder, or one that is not there yet', '.')
    .addOption(new Option('-l, --language <language>', 'of the app').choices(LANGUAGES).default('typescript'))
    .addOption(new Option('--project <type>', 'plain files, or files that projen writes (TypeScript)').choices(PROJECT_TYPES).default('plain'))
    .addOption(new Option('--gitops <tool>', 'write what the tool applies: dist/ of the main branch').choices(GITOPS))
    .option('--name <name>', 'name of the app, its namespace and its resource group (default: that of the folder)')
    .option('--location <region>', "Azure's region of the first resource (default: the one of az, or uksouth)")
    .option('--no-install', 'install nothing')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', `
Asks nothing: names follow from the folder, the repository's address from its remote, the region from az config, versions from this package.
No file is overwritten. Git is not needed, and no repository is made.
Guide: ${documentation('docs/getting-started.md')}

Exit status: 0 when the app is there and installed; 1 when something could not be installed (the files are there); 2 for a wrong command
line, or a folder that is not empty.

Examples:
  cdk8s-aso init shop && cd shop && npm run sandbox
  cdk8s-aso init --language python --gitops flux
  cdk8s-aso init --project projen --location westeurope shop`)
    .action(async (directory: string, options: InitOptions) => {
      const { init } = await import('./init');
      done(await init(directory, options, terminal));
    });
}
