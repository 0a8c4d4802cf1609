import { Command, CommanderError, Help, type Option } from 'commander';
import { addApiCommand } from './api/command';
import { addCapacityCommand } from './capacity/command';
import { addCheckCommand } from './check/command';
import { addCompletionCommand } from './completion/command';
import { addConvertCommand } from './convert/command';
import { addCrdsCommand } from './crds/command';
import { addDiffCommand } from './diff/command';
import { addDoctorCommand } from './doctor/command';
import { addExplainCommand } from './explain/command';
import { addGraphCommand } from './graph/command';
import { addImportCommand } from './import/command';
import { addImportCrdsCommand } from './import-crds/command';
import { addInitCommand } from './init/command';
import { addMigrateCommand } from './migrate/command';
import { addOrphansCommand } from './orphans/command';
import { oneLine } from './output/problem';
import { guarded, processTerminal, type Terminal } from './output/terminal';
import { UsageError } from './output/usage-error';
import { addPlanCommand } from './plan/command';
import { addSandboxCommand } from './sandbox/command';
import { addStatusCommand } from './status/command';
import { addTransferCommand } from './transfer/command';
import { addUiCommand } from './ui/command';
import { addUpgradeCheckCommand } from './upgrade-check/command';
import { addWhyCommand } from './why/command';
import { DOCUMENTATION_SITE } from '../src/documentation';

const USAGE_ERROR = 2;

/** Runs a command line. Returns the exit status: 0 done, 1 problems, 2 invalid command line. */
export async function runCommandLine(args: readonly string[], version: string, plain: Terminal = processTerminal()): Promise<number> {
  const terminal = guarded(plain);
  let status = 0;
  const program = commands(version, terminal, (result) => {
    status = result;
  });
  try {
    const incomplete = args.length === 0 ? program : groupOf(program, args);
    if (incomplete) {
      incomplete.outputHelp();
      return USAGE_ERROR;
    }
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    if (error instanceof UsageError) {
      terminal.error(oneLine(error.message));
      return USAGE_ERROR;
    }
    terminal.error(
      process.env.CDK8S_ASO_DEBUG ? String((error as Error).stack) : `${oneLine((error as Error).message)} (CDK8S_ASO_DEBUG=1 shows where)`,
    );
    return 1;
  }
}

/** The description of an option, without a default that says nothing: off, or an empty list. */
function descriptionOf(option: Option): string {
  const { defaultValue } = option as { defaultValue: unknown };
  const isEmpty = defaultValue === false || (typeof defaultValue === 'object' && defaultValue !== null && Object.keys(defaultValue).length === 0);
  const described = isEmpty ? Object.assign(Object.create(option) as Option, { defaultValue: undefined }) : option;
  return new Help().optionDescription(described);
}

/** The commands. The implementation of a command is loaded only when the command is used. */
function commands(version: string, terminal: Terminal, done: (status: number) => void): Command {
  const program = new Command('cdk8s-aso')
    .description('Azure as typed CDK8s constructs: what will be sent, and does it work?')
    .version(version, '-V, --version')
    .helpCommand(true)
    .addHelpText('after', `\nDocuments: ${DOCUMENTATION_SITE}`)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ styleTitle: terminal.style.bold, optionDescription: descriptionOf })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.error(oneLine(text.replace(/^error: /, ''))),
      getOutHasColors: () => true, // the terminal's style decides
      getErrHasColors: () => true,
    });

  addInitCommand(program, terminal, done);
  addPlanCommand(program, terminal, done);
  addCheckCommand(program, terminal, done);
  addGraphCommand(program, terminal, done);
  addDiffCommand(program, terminal, done);
  addCapacityCommand(program, terminal, done);
  addSandboxCommand(program, terminal, done);
  addExplainCommand(program, terminal, done);
  addConvertCommand(program, terminal, done);
  addImportCommand(program, terminal, done);
  addOrphansCommand(program, terminal, done);
  addStatusCommand(program, terminal, done);
  addWhyCommand(program, terminal, done);
  addMigrateCommand(program, terminal, done);
  addImportCrdsCommand(program, terminal, done);
  addCrdsCommand(program, terminal, done);
  addDoctorCommand(program, terminal, done);
  addTransferCommand(program, terminal, done);
  addUiCommand(program, terminal, done);
  addUpgradeCheckCommand(program, terminal, done);
  addApiCommand(program, terminal, done, version);
  addCompletionCommand(program, terminal, done);
  return program;
}

/** The command with commands of its own, such as `api`, whose name is the only argument. */
function groupOf(program: Command, [name, ...more]: readonly string[]): Command | undefined {
  return more.length === 0 ? program.commands.find((one) => one.name() === name && one.commands.length > 0) : undefined;
}
