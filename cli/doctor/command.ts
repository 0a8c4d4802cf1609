import { Option, type Command } from 'commander';
import type { DoctorOptions } from './run';
import { documentation } from '../../src/documentation';
import { addClusterOptions } from '../cluster/options';
import type { Terminal } from '../output/terminal';

/** Adds `doctor` to a program. The implementation is loaded only when the command is used. */
export function addDoctorCommand(program: Command, terminal: Terminal, done: (status: number) => void): void {
  addClusterOptions(program
    .command('doctor')
    .summary('find what is wrong with an installation, with the cure of each finding')
    .description('Looks at the controllers of a cluster, this one and ASO, and at all that they depend on: CRDs, webhooks, certificates, leases, clocks, rights, credentials, objects that nobody looks after, and settings of Argo CD and Flux that hurt.'))
    .option('--no-azure', 'do not try the credentials with a read of Azure')
    .option('--strict', 'warnings count as errors', false)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', `
The cluster is only read. Each credential is tried with one GET, and no value of a Secret is printed. For workload identity a token of the
controller's service account is requested, which needs create on serviceaccounts/token.
Findings and their cures: ${documentation('docs/doctor.md')}

Exit status: 0 when there is no error; 1 when there is one (with --strict, or a warning), or something could not be read; 2 for a wrong
command line.

Examples:
  cdk8s-aso doctor
  cdk8s-aso doctor --context production --output json
  cdk8s-aso doctor --no-azure -n shop`)
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run');
      done(await runDoctor(options, terminal, process.env));
    });
}
