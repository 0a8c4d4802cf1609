import fc from 'fast-check';
import { diffMarkdown } from '../../../cli/diff/markdown';
import { oneLine } from '../../../cli/output/problem';
import { guarded, styleFor } from '../../../cli/output/terminal';
import { visibleLines, visibleLiteral, visibleText } from '../../../src/azure/visible-text';
import { captured } from '../capture';

const OBEYED = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;
const anything = fc.oneof(fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))).map((all) => all.join('')));

test.each([
  ['\u202egnp.exe', '\\u{202E}gnp.exe'],
  ['a\u200bb\u2066\ufeff', 'a\\u{200B}b\\u{2066}\\u{FEFF}'],
  ['\u001b[2J\u009b31m', '\\u{001B}[2J\\u{009B}31m'],
  ['\u{e0041}\ud800x', '\\u{E0041}\\u{D800}x'],
  ['two\nlines\r\u2028', 'two\\u{000A}lines\\u{000D}\\u{2028}'],
  ['日本語 – ü 😀', '日本語 – ü 😀'],
])('%j is shown as %s', (text, shown) => expect(visibleText(text)).toBe(shown));

test('nothing that is obeyed is left in any text', () => {
  fc.assert(
    fc.property(anything, (text) => {
      expect(visibleText(text)).not.toMatch(OBEYED);
      expect(oneLine(text)).not.toMatch(OBEYED);
      expect(visibleLines(text).replace(/[\n\t]/g, '')).not.toMatch(OBEYED);
      const json = JSON.stringify({ [text]: text }, undefined, 2);
      expect(visibleLiteral(json).replace(/\n/g, '')).not.toMatch(OBEYED);
      expect(JSON.parse(visibleLiteral(json))).toEqual({ [text]: text });
      const markdown = diffMarkdown({
        summary: 's',
        sections: [{ title: 't', entries: [{ sign: '+', tone: 'good', head: [text, { name: text }], lines: [] }] }],
      } as never);
      expect(markdown.replace(/\n/g, '')).not.toMatch(OBEYED);
      expect(markdown.split('\n')).toHaveLength(5);
    }),
  );
});

describe('the terminal', () => {
  const coloured = () => ({ ...captured(), style: styleFor({ isTTY: true }, {}) });

  test('obeys its own style alone', () => {
    const plain = coloured();
    const terminal = guarded(plain);
    terminal.print(`${terminal.style.bold('a\u001b[31mb')} ${terminal.style.bad(terminal.style.dim('c'))}\n\td\r`);
    terminal.error('x\u202ey');
    terminal.note('x\u200by');
    expect(plain.out).toEqual([`${plain.style.bold('a\\u{001B}[31mb')} ${plain.style.bad(plain.style.dim('c'))}\n\td\\u{000D}`]);
    expect(plain.err).toEqual(['x\\u{202E}y', 'note: x\\u{200B}y']);
  });

  test('prints JSON that is read as what it was', () => {
    const plain = captured();
    const value = { 'a\u202e': ['\u200b\u{e0041}', '\u001b[2J'] };
    guarded(plain).print(JSON.stringify(value, undefined, 2));
    expect(plain.out[0]!.replace(/\n/g, '')).not.toMatch(OBEYED);
    expect(JSON.parse(plain.out[0]!)).toEqual(value);
  });
});
