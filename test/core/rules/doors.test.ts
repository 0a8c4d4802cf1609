import { ApiObject, App, Chart } from 'cdk8s';
import { AnyResource, propOf } from './any-resource';
import { MISTAKES } from './mistakes';
import { parseManifests } from '../../../cli/manifests/manifests';
import { allRules } from '../../../src/core/rules/all-rules';
import { runRules } from '../../../src/core/rules/run-rules';

const manifestsOf = (yaml: string) => parseManifests(yaml, 'test.yaml').manifests.map(({ object }) => object);

/** Problems that synth reports for a reason: `name field`, in the order of the objects. */
function reportedAtSynth(yaml: string, why: string): string[] {
  const app = new App();
  const chart = new Chart(app, 'chart');
  manifestsOf(yaml).forEach((manifest, index) => {
    if (manifest.apiVersion.includes('.azure.com/')) new AnyResource(chart, `o${index}`, manifest);
    else new ApiObject(chart, `o${index}`, manifest as ConstructorParameters<typeof ApiObject>[2]);
  });
  return app.node.findAll().flatMap((construct) => construct.node.validate()
    .filter((problem) => problem.includes(`; ${why}. `))
    .map((problem) => `${(construct as ApiObject).name} ${/^\w+ (.*?): /.exec(problem)![1]}`));
}

const both = new Map(allRules().filter(({ asked }) => asked === 'both').map((rule) => [rule.id, rule]));

/** An imported machine: Azure does not show its password. */
const machine = (annotations: string) => `apiVersion: compute.azure.com/v20220301
kind: VirtualMachine
metadata: { name: vm, annotations: { ${annotations} } }
spec: { owner: { name: rg }, location: uksouth, osProfile: { adminUsername: operator } }
`;

test.each([['', 1], ['aso.cdk8s.io/adopt: OrCreate', 1], ['aso.cdk8s.io/adopt: IfPresent', 0]])('a machine with {%s} needs a password: %d', (annotations, count) => {
  const yaml = machine(annotations);
  const ofMachine = runRules(manifestsOf(yaml)).findings.filter(({ rule }) => rule === 'vm-credentials');
  expect(ofMachine).toHaveLength(count);
  expect(reportedAtSynth(yaml, both.get('vm-credentials')!.why)).toHaveLength(count);
});

describe('a rule for constructs and manifests finds in constructs what it finds in manifests', () => {
  test.each(MISTAKES.filter(({ rule }) => both.has(rule)))('$rule: $what', ({ rule, wrong, right, expected }) => {
    const { why } = both.get(rule)!;
    const wanted = expected
      .map((line) => line.split(' '))
      .filter(([severity]) => severity === 'error')
      // Workloads have no props: their fields are those of the manifest.
      .map(([, , name, field]) => `${name} ${field?.startsWith('spec.containers') ? field : propOf(field)}`);
    expect(reportedAtSynth(wrong, why)).toEqual(wanted);
    for (const good of right) expect(reportedAtSynth(good, why)).toEqual([]);
  });
});
