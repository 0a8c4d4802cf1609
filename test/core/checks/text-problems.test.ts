import { App, Chart, Testing, Yaml } from 'cdk8s';
import fc from 'fast-check';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { ResourceGroup } from '../../../src/services/resources';

/** Whether kubectl reads a text as it is from the YAML that cdk8s writes. */
function survives(text: string): boolean {
  const [document, ...more] = readYaml(Yaml.stringify({ text }));
  return more.length === 0 && document?.fault === undefined && (document?.value as { text?: unknown }).text === text;
}

/** Whether a synthesis takes the text. */
function isTaken(text: string): boolean {
  const chart = new Chart(new App(), 'shop');
  new ResourceGroup(chart, 'group', { location: 'uksouth', tags: { text } });
  try {
    Testing.synth(chart);
    return true;
  } catch (error) {
    expect((error as Error).message).toContain('[shop/group] ResourceGroup tags.text: ');
    return false;
  }
}

const ODD = ['0o17', '0O7', '-0o1_7', '0B11', '+0B0', 'a\u0085b', 'a\u007fb', 'a\u2028b', 'a\u2029', '\ud800', 'a\udc00b'];

test.each(ODD.map((text) => [JSON.stringify(text), text]))('%s, which kubectl reads otherwise, is refused at synth', (_, text) => {
  expect([survives(text), isTaken(text)]).toEqual([false, false]);
});

test.each(['0o8', '017', '0b11', '0xo7', '0o', '1_000', 'yes', '~', '1e3', '😀', 'a\tb', 'a\nb', '\u200e', '\ufeff', '- a', '<<', '0o17 ', '\u00a0'])(
  '%j is taken', (text) => expect([survives(text), isTaken(text)]).toEqual([true, true]),
);

test('what synth takes is what kubectl reads', () => {
  const numbers = fc.array(fc.constantFrom(...'01789oOxXbB_+-.eE:'), { minLength: 1, maxLength: 7 }).map((all) => all.join(''));
  const characters = fc.array(fc.integer({ min: 0x20, max: 0x2060 }).map((code) => String.fromCodePoint(code)), { maxLength: 4 }).map((all) => all.join(''));
  fc.assert(fc.property(fc.oneof(numbers, characters), (text) => isTaken(text) === survives(text)), { numRuns: 2_000, seed: 7 });
});
