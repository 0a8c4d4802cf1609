import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../../../cli/check/check';
import { parseManifests } from '../../../../cli/manifests/manifests';
import { formatYamlDocuments } from '../../../../engine/yaml/format-yaml';
import { MISTAKES } from '../../../core/rules/mistakes';
import { captured, filesIn } from '../../capture';

/** Of all places one in so many; FC_RUNS takes all. */
const EACH = process.env.FC_RUNS === undefined ? 7 : 1;

/** The findings of objects, as `rule Kind field`. */
function findingsOf(directory: string, objects: readonly object[]): string[] {
  writeFileSync(join(directory, 'a.yaml'), formatYamlDocuments(objects));
  const terminal = captured();
  check([directory], { output: 'json', severity: 'warning', strict: false, verbose: false }, terminal);
  const { findings } = JSON.parse(terminal.out.join('\n')) as { findings: readonly Record<string, string>[] };
  return findings.map(({ rule, kind, field }) => `${rule} ${kind} ${field ?? ''}`);
}

type Path = readonly (string | number)[];

const isStruct = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null;

/** The places of all scalars. */
function scalarsIn(value: unknown, at: Path = []): Path[] {
  if (!isStruct(value)) return [at];
  return Object.entries(value).flatMap(([key, item]) => scalarsIn(item, [...at, Array.isArray(value) ? Number(key) : key]));
}

function withText(value: unknown, [key, ...rest]: Path, text: (old: unknown) => string): unknown {
  if (key === undefined) return text(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withText(item, rest, text) : item));
  return isStruct(value) ? { ...value, [key]: withText(value[key], rest, text) } : value;
}

test('a value that comes later is the cause of no finding, whichever it is of those of the examples', () => {
  const directory = filesIn({});
  const examples = MISTAKES.flatMap(({ right }) => right).map((text) => parseManifests(text, 'a.yaml').manifests.map(({ object }) => object));
  const wrong: string[] = [];
  let places = 0;
  for (const objects of examples) {
    const before = new Set(findingsOf(directory, objects));
    for (const [index, object] of objects.entries()) {
      for (const path of scalarsIn(object).filter(([first]) => first !== 'apiVersion' && first !== 'kind')) {
        places += 1;
        if (places % EACH !== 0) continue;
        const text = (old: unknown) => (typeof old === 'string' && places % (2 * EACH) === 0 ? `\${V}${old.slice(1)}` : '${V}');
        const changed = objects.map((one, other) => (other === index ? withText(one, path, text) as object : one));
        const found = findingsOf(directory, changed).filter((one) => !before.has(one));
        wrong.push(...found.map((one) => `${one} <- ${object.kind} ${path.join('.')}`));
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(places).toBeGreaterThan(1000);
});
