import fc from 'fast-check';
import { account, chart, findings, group, synth } from './kinds';
import { Catalog } from '../../src/catalog';
import { stepsOf } from '../../src/catalog/change-path';
import { ignoredChanges } from '../../src/core/removal/ignored-changes';

const ANNOTATION = 'aso.cdk8s.io/ignore-changes';
const version = (service: string, kind: string) => Catalog.default().kind(`${service}.azure.com`, kind)!.latest;
const cluster = version('containerservice', 'ManagedCluster');
const problemsOf = (path: unknown, of = cluster) => ignoredChanges([path], of).problems.join();

describe('ignoreChanges', () => {
  test('travels in an annotation, as a JSON list of paths in the spec', () => {
    const scope = chart();
    account(scope, 'sa1', group(scope), {
      ignoreChanges: ['sku.name', 'tags.team', 'tags["cost.centre"]', 'sku.name'],
      tags: { team: 'a' },
    });
    expect(findings(scope)).toEqual([]);
    const { metadata, spec } = synth(scope)[1];
    expect(JSON.parse(metadata.annotations[ANNOTATION])).toEqual(['sku.name', 'tags.team', 'tags["cost.centre"]']);
    expect(spec.ignoreChanges).toBeUndefined();
  });

  test('none leaves no annotation', () => {
    const scope = chart();
    group(scope, 'rg', { ignoreChanges: [] });
    expect(synth(scope)[0].metadata.annotations).toBeUndefined();
  });

  test('goes into lists, maps and what has no schema', () => {
    const given = [
      'agentPoolProfiles[*].count',
      'agentPoolProfiles',
      'tags[*]',
      'autoScalerProfile',
      'networkProfile.loadBalancerProfile.managedOutboundIPs.count',
    ];
    expect(ignoredChanges(given, cluster)).toEqual({ paths: given, problems: [] });
    const free = ['settings.any["a.b"][*].thing', 'settings[*]'];
    expect(ignoredChanges(free, version('compute', 'VirtualMachinesExtension'))).toEqual({ paths: free, problems: [] });
  });

  test('stands under the spec\'s own names, but is written with the props\'', () => {
    // `scan-interval` is `scanInterval` in the props.
    expect(ignoredChanges(['autoScalerProfile.scanInterval'], cluster)).toEqual({
      paths: ['autoScalerProfile.scan-interval'],
      problems: [],
    });
    expect(problemsOf('autoScalerProfile.scan-interval')).toContain("It is called 'scanInterval' here.");
  });

  test.each<[unknown, string]>([
    ['agentPoolProfile', 'ManagedCluster has no property \'agentPoolProfile\'. Did you mean \'agentPoolProfiles\'?'],
    ['agentPoolProfiles[*].cuont', '\'agentPoolProfiles[*]\' has no property \'cuont\'. Did you mean \'count\'?'],
    ['agentPoolProfiles.count', '\'agentPoolProfiles\' is a list. Write agentPoolProfiles[*] for every element'],
    ['agentPoolProfiles[0].count', 'is a list, whose elements may change places. Write agentPoolProfiles[*]'],
    ['tags[0]', '\'tags\' is a map, not a list.'],
    ['location.x', '\'location\' is a single value'],
    ['sku[*]', '\'sku\' is an object, not a list.'],
    ['owner', 'changes of \'owner\' cannot be ignored: the owner says where the resource is'],
    ['azureName', 'nobody can change the name of a resource in Azure'],
    ['operatorSpec.secrets', 'never gets to Azure'],
    ['', '\'\' is no path of a property.'],
    ['.sku', 'is no path'],
    ['sku..name', 'is no path'],
    ['sku name.', 'is no path'],
    ['tags["a', 'is no path'],
    [7, '7 is no path of a property.'],
    [null, 'null is no path of a property.'],
  ])('%j is an error', (path, message) => expect(problemsOf(path)).toContain(message));

  test('of a value from a ConfigMap names the value instead; secrets are never seen', () => {
    expect(problemsOf('principalIdFromConfig', version('authorization', 'RoleAssignment'))).toContain(
      "what may change in Azure is 'principalId'",
    );
    expect(problemsOf('administratorLoginPassword', version('dbforpostgresql', 'FlexibleServer'))).toContain(
      'Azure does not give secrets back',
    );
  });

  test('errors have the construct\'s path; a list is needed; an annotation besides is one too many', () => {
    const scope = chart();
    group(scope, 'one', { ignoreChanges: ['tag'] });
    group(scope, 'two', { ignoreChanges: 'tags' });
    group(scope, 'three', { ignoreChanges: ['tags'], metadata: { name: 'three', annotations: { [ANNOTATION]: '["location"]' } } });
    expect(findings(scope)).toEqual([
      '[chart/one] ResourceGroup ignoreChanges[0]: ResourceGroup has no property \'tag\'. Did you mean \'tags\'?',
      '[chart/two] ResourceGroup ignoreChanges: is \'tags\', but has to be a list of property paths.',
      `[chart/three] ResourceGroup ignoreChanges: is given as the annotation ${ANNOTATION} in metadata as well. Give one of them.`,
    ]);
  });
});

test('law: whatever is written, it is a path or it is not, and a path is its steps one after the other', () => {
  fc.assert(fc.property(fc.stringMatching(/^[ab.[\]*"\\0 ]{0,12}$/), (text) => {
    const steps = stepsOf(text);
    if (steps) expect(steps.map(({ source }) => source).join('')).toBe(text);
    else expect(problemsOf(text)).toContain('is no path');
  }), { numRuns: 500 });
});

test('law: every property of every kind can be named, or the reason is given', () => {
  const kinds = Catalog.default().allKinds;
  expect(kinds.length).toBeGreaterThan(280);
  for (const { latest } of kinds) {
    const { paths, problems } = ignoredChanges(Object.keys(latest.specType.props), latest);
    for (const path of paths) expect(latest.specType.props).toHaveProperty([path.startsWith('[') ? JSON.parse(path.slice(1, -1)) : path]);
    for (const problem of problems) expect(problem).toMatch(/cannot be ignored|is where the value comes from|It is called/);
  }
});
