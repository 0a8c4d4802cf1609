import { Option, type Command } from 'commander';
import type { ConvertOptions } from './convert';
import { documentation } from '../../src/documentation';
import { addFileOptions } from '../manifests/file-options';
import type { Terminal } from '../output/terminal';

/** Adds `convert` to a program. The conversion itself is loaded only when the command is used. */
export function addConvertCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  const command = program
    .command('convert')
    .summary('turn manifests into a TypeScript chart')
    .description('Writes the constructs that give back the objects of the files: one chart a namespace, constructs that refer to constructs, each object in its own API version.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .option('--out <dir>', 'write an app that runs there; by default the charts are printed');
  addFileOptions(command)
    .addOption(new Option('-o, --output <format>', 'how to print what was done; json needs --out').choices(['text', 'json']).default('text'))
    .addHelpText('after', `
The charts are built and synthesized before they are written: what comes out are the same objects. What a class cannot hold goes to
additionalSpec, an object that no class can hold becomes an ApiObject; each is named on standard error. Nothing is left out.
Files are read as kubectl apply -f reads them; - is the standard input. Variables such as \${TEAM} become props of the charts; main.ts takes
their values from the environment. --set and --env-file fill them in instead.
Guide: ${documentation('docs/convert.md')}

The last lines on standard error say how many objects are constructs of their classes, why the others are not, and the command that
changes it. That an object is an ApiObject does not count for the exit status.

Exit status: 0 when every object was converted; 1 when something could not be read (it is kept as a comment); 2 for a wrong command line.

Examples:
  cdk8s-aso convert storage.yaml > storage.ts
  cdk8s-aso convert manifests/ --out app && cd app && npm install && npx cdk8s synth`)
    .action(async (files: string[], options: ConvertOptions) => {
      const { convert } = await import('./convert');
      done(convert(files, options, terminal));
    });
}
