import { createCelEngine } from '../../engine/export/cel';
import { Catalog, type NamedOutputFacts } from '../../src/catalog';
import { templateExpression } from '../../src/core/exports/template';

const catalog = Catalog.default();
const engine = createCelEngine();

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly value: string;
  readonly secret: boolean;
}

const rows = catalog.services.flatMap((service) => catalog.kindsOf(service).flatMap(({ group, kind, facts }): Row[] => {
  const of = (outputs: Readonly<Record<string, NamedOutputFacts>> | undefined, secret: boolean) =>
    Object.entries(outputs ?? {}).flatMap(([name, { value }]) => (value === undefined ? [] : [{ name, kind, group, value, secret }]));
  return [...of(facts.outputs, false), ...of(facts.secretOutputs, true)];
}));

test('there are named outputs of forty kinds', () => {
  expect(new Set(rows.map(({ group, kind }) => `${group}/${kind}`)).size).toBeGreaterThanOrEqual(40);
});

/** Older versions whose status lacks a value; asking for it there is an error at synth. */
const MISSING_IN: Readonly<Record<string, readonly string[]>> = {
  'dbforpostgresql.azure.com/FlexibleServer principalId': ['v1api20230601preview', 'v1api20221201', 'v1api20220120preview', 'v1api20210601'],
};

test.each(rows.map((row) => [`${row.group}/${row.kind} ${row.name}`, row] as const))('%s is a text in every version that has it', (title, { group, kind, value, secret }) => {
  const facts = catalog.kind(group, kind)!;
  const { text } = templateExpression(value);
  const failing = facts.versionNames.filter((name) => {
    try {
      const compiled = engine.compile(facts.version(name)!, text);
      if (!secret && compiled.secretNames.length > 0) throw new Error('a secret in a ConfigMap');
      return compiled.output !== 'string' || compiled.secretNames.some((used) => !facts.version(name)!.facts.exports?.secrets?.includes(used));
    } catch (error) {
      if (name === facts.latest.name) throw error;
      return true;
    }
  });
  expect(failing).toEqual(MISSING_IN[title] ?? []);
});
