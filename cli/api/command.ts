import type { Command } from 'commander';
import type { BuildOptions } from './build';
import { addClaimDiffCommand, addInstallCommand, addRunCommand, addUninstallCommand, COMPOSER_NAME, COMPOSER_NAMESPACE, dnsLabel, outputOption } from './live-commands';
import type { TestOptions } from './test-claims';
import { documentation } from '../../src/documentation';
import type { Terminal } from '../output/terminal';

/** Adds `api` with its commands to a program. The implementation is loaded only when a command is used. */
export function addApiCommand(program: Command, terminal: Terminal, done: (status: number) => void, version = 'dev'): void {
  const api = program
    .command('api')
    .summary("build, test, run, compare and install a platform's own kinds")
    .description("Turns a definition (defineApi) into a kind of the platform's own, renders its claims, and runs it in a cluster.")
    .addHelpText('after', `
Guide: ${documentation('docs/platform-api.md')}

Exit status: 0 when done; 1 when there were problems; 2 for a wrong command line.

Examples:
  cdk8s-aso api build bucket.ts --out dist
  cdk8s-aso api test bucket.ts claims/
  cdk8s-aso api install bucket.ts --apply`);
  api
    .command('build')
    .summary('bundle a definition, and print its CRDs and rights')
    .description('Bundles a definition into one file, '
      + 'and writes the CustomResourceDefinitions of its kinds and the rights of the composer.')
    .argument('<file>', 'the module of the definition, e.g. bucket.ts: its default export is made by defineApi, or a list of such')
    .option('--out <dir>', 'directory for bundle.js, bundle.js.map, crds.yaml and rights.yaml; without it the YAML is printed')
    .option('--image-context <dir>', 'directory for the Dockerfile of an image of the composer with the bundle')
    .option('--name <name>', 'name of the composer: of its service account and its roles', dnsLabel, COMPOSER_NAME)
    .option('-n, --namespace <name>', 'namespace of the composer', dnsLabel, COMPOSER_NAMESPACE)
    .option('--admission', 'with the rights of a composer that reviews claims before they are stored (api install --admission)', false)
    .addOption(outputOption())
    .addHelpText('after', `
The bundle has everything but cdk8s, constructs and cdk8s-aso, which the composer has. esbuild of your project makes it.
Nothing is written when the schema has a part that Kubernetes cannot express, or a composed kind has no known plural.
Guide: ${documentation('docs/platform-api.md')}

Exit status: 0 when everything was written; 1 when there were problems, one line each on standard error; 2 for a wrong command line.

Examples:
  cdk8s-aso api build bucket.ts | kubectl apply --server-side -f -
  cdk8s-aso api build bucket.ts --out dist
  cdk8s-aso api build bucket.ts --out dist --output json
  cdk8s-aso api build bucket.ts --image-context image && docker build -t registry.example.com/buckets:1.2.3 image`)
    .action(async (file: string, options: BuildOptions) => {
      const { build } = await import('./build');
      done(await build(file, options, terminal));
    });
  api
    .command('test')
    .summary('render claims, and compare with the expected objects')
    .description('Renders claims as the composer does, and compares the objects with the files beside the claims: '
      + 'claims/team.yaml with claims/team.expected.yaml.')
    .argument('<file>', 'the module of the definition')
    .argument('<claim...>', 'claims (YAML or JSON), or directories of them')
    .option('--objects <file...>', 'files or directories with objects that the claims of all files may read')
    .option('--expected <dir>', 'directory of the expected files; by default each is beside its claims')
    .option('--update', 'write the expected files', false)
    .addOption(outputOption())
    .addHelpText('after', `
Each claim is checked by the CRD's schema and by the definition's own, composed twice (the objects have to be the same), converted to older
versions and back, and its objects are checked by the rules of cdk8s-aso check. A claim that is refused is compared too: its expected file has the reason.
A claim reads (claim.read) the objects of its own file and those of --objects; no other object is there.
Guide: ${documentation('docs/platform-api.md')}

Exit status: 0 when all claims gave what was expected; 1 when not; 2 for a wrong command line.

Examples:
  cdk8s-aso api test bucket.ts claims/
  cdk8s-aso api test bucket.ts claims/logs.yaml --update
  cdk8s-aso api test service.ts claims/ --objects claims/environment.yaml
  cdk8s-aso api test service.ts claims/ --expected test/expected`)
    .action(async (file: string, claims: string[], options: TestOptions) => {
      const { testClaims } = await import('./test-claims');
      done(await testClaims(file, claims, options, terminal));
    });
  addRunCommand(api, terminal, done, version);
  addClaimDiffCommand(api, terminal, done);
  addInstallCommand(api, terminal, done);
  addUninstallCommand(api, terminal, done);
}
