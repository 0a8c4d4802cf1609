import fc from 'fast-check';
import { randomSpec } from './random-spec';
import { fromArm, toArm, type ValueSource } from '../../../engine/convert';
import { Catalog, type KindVersion, type PropertyFacts } from '../../../src/catalog';
import { validateSpec } from '../../../src/catalog/validate-spec';

const values: ValueSource = {
  reference: ({ armId, name }) => armId ?? `/subscriptions/s/resourceGroups/${name}`,
  secret: (name, key) => `<secret:${name}/${key}>`,
  secretMap: (name) => ({ all: `<secret:${name}/all>` }),
  configMap: (name, key) => `<configmap:${name}/${key}>`,
};

const versions: KindVersion[] = Catalog.default().allKinds
  .flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!))
  .filter((version) => version.isArm && version.name === version.typesOf);

/** A kind and a spec that its schema allows. */
const specs = fc.record({ version: fc.constantFrom(...versions), seed: fc.nat() })
  .map(({ version, seed }) => ({ version, spec: randomSpec(version, seed) }));
const describe_ = ({ version }: { version: KindVersion }) => `${version.apiVersion} ${version.kind.kind}`;

test('a spec that the schema allows is converted, and has no violations', () => {
  fc.assert(fc.property(specs, ({ version, spec }) => {
    const fatal = validateSpec(spec, version).filter((violation) => violation.fatal);
    expect([describe_({ version }), fatal]).toEqual([describe_({ version }), []]);
    const body = toArm(version, spec, 'x', values);
    expect(JSON.parse(JSON.stringify(body))).toEqual(body);
    if (version.facts.nameInBody !== false) expect(body.name).toBe('x');
    for (const name of ['owner', 'operatorSpec', 'azureName']) expect(body).not.toHaveProperty(name);
  }), { numRuns: 2000 });
});

test('what spec and status both have comes back as it was sent', () => {
  let compared = 0;
  fc.assert(fc.property(specs, ({ version, spec }) => {
    const status = fromArm(version, toArm(version, spec, 'x', values));
    for (const [name, inStatus] of plainlyMapped(version)) {
      if (!Object.hasOwn(spec, name)) continue;
      compared += 1;
      expect([describe_({ version }), inStatus, status[inStatus]]).toEqual([describe_({ version }), inStatus, spec[name]]);
    }
  }), { numRuns: 2000 });
  expect(compared).toBeGreaterThan(500);
});

/** Scalar properties of the spec, and the status property that is read from the same place. */
function plainlyMapped(version: KindVersion): [string, string][] {
  const scalar = ({ type, arm, inline }: PropertyFacts) => typeof type === 'string' && type !== 'json' && arm !== null && !inline;
  const spec = Object.entries(version.specType.props);
  const supplied = new Set(spec.flatMap(([, facts]) => (facts.alternativeTo ? [facts.alternativeTo] : [])));
  const status = Object.entries(version.statusType.props).filter(([, facts]) => scalar(facts));
  return spec.flatMap(([name, facts]) => {
    const path = facts.arm ?? name;
    if (!scalar(facts) || facts.role || supplied.has(name) || path === 'name') return [];
    const found = status.find(([other, candidate]) => (candidate.arm ?? other) === path && candidate.type === facts.type);
    return found ? [[name, found[0]] as [string, string]] : [];
  });
}
