import { ApiObject, App, Chart } from 'cdk8s';
import { MISTAKES } from './mistakes';
import { parseManifests } from '../../../cli/manifests/manifests';
import { propertyNameOf } from '../../../src/catalog/property-names';
import { AzureResource } from '../../../src/core';
import { ALL_RULES } from '../../../src/core/rules/all-rules';

/** Any kind of the catalog, its spec as a manifest has it. */
class AnyResource extends AzureResource {
  public constructor(scope: Chart, id: string, { apiVersion, kind, metadata, spec }: ReturnType<typeof manifestsOf>[number]) {
    const [group, version] = apiVersion.split('/');
    const props = { metadata, additionalSpec: spec as Record<string, unknown> };
    super(scope, id, { group: group!, version: version!, kind }, props);
  }
}

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

/** The prop of the field that the rule names in a manifest. */
const propOf = (field = 'spec') =>
  field
    .replace(/^spec\.(.*)$/, (_, path: string) => path.replace(/[A-Za-z]\w*/g, (name) => propertyNameOf(name, false)))
    .replace(/^metadata\.annotations\['(.*)'\]$/, (_, key: string) =>
      key.endsWith('/reconcile-policy') ? 'reconcilePolicy' : `metadata.annotations["${key}"]`,
    );

const both = new Map(ALL_RULES.filter(({ asked }) => asked === 'both').map((rule) => [rule.id, rule]));

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
