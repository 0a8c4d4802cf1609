import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { oneLine } from './problem';
import { addSandboxCommand } from './sandbox-command';
import { processTerminal, type Terminal } from './terminal';
import { UsageError } from './usage-error';

const USAGE_ERROR = 2;

/** Carries out a command line. Answers the exit status: 0 done, 1 problems, 2 a command line that makes no sense. */
export async function runCommandLine(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let status = 0;
  const program = commands(terminal, (result) => {
    status = result;
  });
  try {
    if (args.length === 0) {
      terminal.print(program.helpInformation().trimEnd());
      return USAGE_ERROR;
    }
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    // Commander has printed its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    if (error instanceof UsageError) {
      terminal.error(oneLine(error.message));
      return USAGE_ERROR;
    }
    terminal.error(process.env.CDK8S_ASO_DEBUG ? String((error as Error).stack) : `${oneLine((error as Error).message)} (CDK8S_ASO_DEBUG=1 shows where)`);
    return 1;
  }
}

/** The commands. What each needs is loaded only when it is used. */
function commands(terminal: Terminal, done: (status: number) => void): Command {
  const program = new Command('cdk8s-aso')
    .description('Azure as typed CDK8s constructs: what will be sent, and does it work?')
    .version(version(), '-V, --version')
    .helpCommand(true)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ styleTitle: terminal.style.bold })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.error(oneLine(text.replace(/^error: /, ''))),
      getOutHasColors: () => true, // the terminal's style decides
      getErrHasColors: () => true,
    });

  program
    .command('plan')
    .summary('print the requests to Azure for the objects of manifests')
    .description('Prints, without a cluster and without Azure, the request to Azure Resource Manager for every Azure object in the files, in the order in which they would be sent.')
    .argument('<file...>', 'manifests (YAML or JSON), or directories of them')
    .addOption(outputOption())
    .option('-s, --subscription <id>', 'the subscription of the ids; AZURE_SUBSCRIPTION_ID by default', uuid)
    .addHelpText('after', `
Values that exist only later are shown as <configmap:NAME/KEY>, secrets always as <secret:NAME/KEY>.
Files are read as kubectl apply -f reads them; - is the standard input.

Exit status: 0 when every object has its request; 1 when there are problems, one line each on standard error; 2 for a wrong command line.

Examples:
  cdk8s-aso plan dist/
  cdk8s-aso plan --output json --subscription 11111111-2222-3333-4444-555555555555 app.yaml`)
    .action(async (files: string[], options: { output: 'text' | 'json'; subscription?: string }) => {
      const { plan } = await import('./plan');
      done(plan(files, options, terminal, process.env));
    });

  addSandboxCommand(program, terminal, done);
  return program;
}

function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text');
}

function uuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('Give a UUID.');
}

/** The package's version, read where the package is: two folders above. */
function version(): string {
  return (JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }).version;
}
