/** Texts of YAML in all the ways that people and programs write it, and values that are hard to write. The same for the same seed. */

export type Random = (below: number) => number;

/** A generator of numbers (Lehmer's). */
export function randomOf(seed: number): Random {
  const modulus = 2 ** 31 - 1;
  let state = (Math.abs(seed) % (modulus - 1)) + 1;
  return (below) => {
    state = (state * 48271) % modulus;
    return state % below;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)]!;
const several = <T>(random: Random, most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make);

const CHARACTERS = [...'0127789_.eE+-xXoObBaFynN~ulltrTfisZ'];
const MARKS = [...' @${}!#/,:*&%|>[]`"\'?=<'];
const TEXTS = [
  'yes', 'No', 'on', 'null', 'Null', '~', '.inf', '.NaN', 'true', 'FALSE', '1_000', '0b11', '0O17', '0o17', '1e3', '012_3', '0x1F', '-0b11',
  '08', '09.5', '190:20:30', '2001-12-14', '2001-12-14T21:59:43.10-05:00', '1e999', '9223372036854775808', '18446744073709551616', '<<', '=',
  '-9223372036854775809', 'y', '', '0_', '_1', '1__0', '+1', '-', '.', '..', '+.5', '0b-11', '.5_5', '1.', '-1.e5', '0x', '12e03', '---', '...',
  '!!str 1', '!!int 5', '!!float 5', '!!bool yes', '!!null x', '!!int abc', '!!binary aGk=', '!foo 1', '! 12', '!!timestamp 2001-01-01', '?',
  'a: b', 'a #b', '# a', 'a:', ':a', '- a', '-a', 'https://example.com/a?b=c&d=e', '::1', '10.0.0.0/16', '${A}', '{{ .a }}', 'Δ', '😀',
];
const HARD = [
  '\u0000', '\u0007', '\u001b', '\u007f', '\u0080', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u200e', '\u2028', '\u2029', '\ufeff', '\ufffe',
  '\u{e0001}', '\u{1f600}',
  '\r', '\n', '\t', '\\', '"', '\'', ' ', '  ', '#', ':', 'é',
];

const LINES = ['line', '  indented', '', '- a', 'a: b', '# c', 'trailing ', '\ttab', '---', ...HARD];

/** A scalar as it stands in a file, without quotes unless it happens to have some. */
export function plainScalar(random: Random): string {
  if (random(3) === 0) return pick(random, TEXTS);
  const from = random(3) === 0 ? [...CHARACTERS, ...MARKS] : CHARACTERS;
  return Array.from({ length: 1 + random(8) }, () => pick(random, from)).join('');
}

/** A text that a value may have. */
export function hardText(random: Random): string {
  const kind = random(4);
  if (kind === 0) return plainScalar(random);
  if (kind === 1) return several(random, 6, () => pick(random, [...HARD, 'a', 'b c', ...TEXTS])).join('');
  if (kind === 2) return several(random, 4, () => pick(random, LINES)).join('\n');
  return pick(random, ['x'.repeat(1 + random(2000)), 'word '.repeat(random(60)), `${'a'.repeat(1025)}: b`, '\n', '\n\n', ' a', 'a\n\n']);
}

/** A value of JSON, with texts and keys that are hard to write. */
export function hardValue(random: Random, depth = 3): unknown {
  const kind = random(depth > 0 ? 7 : 4);
  if (kind === 0) return pick(random, [true, false, null, 0, -0, 1, -1, 1e21, 1e-7, 1.5, 2 ** 53, 1.2e20, -(2 ** 31), 0.1, 5e-324]);
  if (kind < 4) return hardText(random);
  if (kind === 4) return several(random, 4, () => hardValue(random, depth - 1));
  return Object.fromEntries(several(random, 5, () => [hardText(random), hardValue(random, depth - 1)]));
}

/** A file as people write it, now and then with a mistake in it. */
export function writtenFile(random: Random): string {
  const documents = Array.from({ length: 1 + random(3) }, () => new Writer(random).document());
  const separators = ['---\n', '---\n', '---\n', '--- # next\n', '---  \n', '\n---\n', '# c\n---\n', '...\n---\n'];
  const text = (random(4) === 0 ? '---\n' : '') + documents.map((document, index) => (index === 0 ? '' : pick(random, separators)) + document).join('');
  const ends = random(12) === 0 ? text.replaceAll('\n', '\r\n') : text;
  return random(3) === 0 ? withMistake(random, ends) : ends;
}

function withMistake(random: Random, text: string): string {
  const at = random(text.length + 1);
  const marks = ['\t', ' ', '\n', ':', '-', '#', '{', '}', '[', ']', ',', '"', "'", '\\', '%', '? ', '\u0085', '\u2028', '\r', '\u007f'];
  const mistakes = [...marks, '&a ', '*a ', '!x ', '---\n', '...\n'];
  return random(3) === 0 ? text.slice(0, at) + text.slice(at + 1) : text.slice(0, at) + pick(random, mistakes) + text.slice(at);
}

/** Writes maps and lists in block and flow style, with anchors, merged maps, tags and comments. */
class Writer {
  private readonly anchors: string[] = [];
  private readonly maps: string[] = [];

  public constructor(private readonly random: Random) {}

  public document(): string {
    return `${this.chance(5) ? '# a comment\n\n' : ''}apiVersion: v1\nkind: A\n${this.map('', 3)}${this.chance(8) ? '# end\n' : ''}`;
  }

  private chance(one: number): boolean {
    return this.random(one) === 0;
  }

  private map(indent: string, depth: number): string {
    const used = new Set<string>();
    let text = '';
    for (let count = 1 + this.random(4); count > 0; count -= 1) {
      const key = this.key();
      if (used.has(key)) continue;
      used.add(key);
      text += `${indent}${key}:${this.value(indent, depth, key)}`;
      if (this.chance(10)) text += `${indent}# about it\n`;
      if (this.chance(12)) text += '\n';
    }
    if (this.maps.length > 0 && this.chance(6)) text += `${indent}<<: *${pick(this.random, this.maps)}\n`;
    return text;
  }

  private key(): string {
    if (!this.chance(8)) return `${pick(this.random, ['a', 'b', 'name', 'spec', 'x-y', 'a.b/c', 'tags', 'é'])}${this.random(40)}`;
    return pick(this.random, ['yes', 'on', '1', '012', '0x10', '1.5', '1e3', '1000000.0', '"quoted"', "'q'", 'null', '~', 'true', '1_0', '"1e3"', '-1', '.5']);
  }

  /** A value behind a colon or a hyphen, with its newline. */
  private value(indent: string, depth: number, name: string): string {
    const kind = this.random(depth > 0 ? 10 : 6);
    const comment = this.chance(12) ? ' # said' : '';
    if (kind < 4) return ` ${this.scalar(indent)}${comment}\n`;
    if (kind === 4) return this.block(indent);
    if (kind === 5) return ` ${this.flow(2, indent)}${comment}\n`;
    if (kind === 6 && this.anchors.length > 0) return ` *${pick(this.random, this.anchors)}${comment}\n`;
    const anchor = this.chance(5) ? `m${this.anchors.length}` : undefined;
    const begin = anchor === undefined ? '' : ` &${anchor}`;
    const isMap = this.chance(2);
    const inner = isMap ? this.map(`${indent}  `, depth - 1) : this.list(name === '' || this.chance(2) ? `${indent}  ` : indent, depth - 1);
    if (anchor !== undefined) {
      this.anchors.push(anchor);
      if (isMap) this.maps.push(anchor);
    }
    return `${begin}${comment}\n${inner}`;
  }

  private list(indent: string, depth: number): string {
    return Array.from({ length: 1 + this.random(3) }, () => {
      if (this.chance(3)) return `${indent}- ${this.map(`${indent}  `, depth - 1).trimStart()}`;
      return `${indent}-${this.value(`${indent}  `, 0, '')}`;
    }).join('');
  }

  private scalar(indent: string): string {
    const text = plainScalar(this.random);
    const kind = this.random(6);
    if (kind < 3) return text;
    if (kind === 3) return JSON.stringify(this.chance(3) ? hardText(this.random) : text);
    if (kind === 4) return `'${text.replaceAll("'", "''")}'`;
    return `${pick(this.random, ['folded', 'text of', 'a'])}\n${indent}  ${pick(this.random, ['more', 'b c', 'x'])}`;
  }

  private block(indent: string): string {
    const header = pick(this.random, ['|', '>', '|-', '>-', '|+', '>+', '|2', '|  # c']);
    const texts = ['text', 'a: b', '', '  more', '# no comment', '- x', '{{ .a }}', 'é', '\tx'];
    const lines = Array.from({ length: 1 + this.random(4) }, () => pick(this.random, texts));
    return ` ${header}\n${indent}  first\n${lines.map((line) => (line === '' ? '\n' : `${indent}  ${line}\n`)).join('')}`;
  }

  private flow(depth: number, indent: string): string {
    const one = () => (depth > 0 && this.chance(3) ? this.flow(depth - 1, indent) : this.flowScalar());
    const items = () => Array.from({ length: this.random(4) }, one);
    const space = pick(this.random, ['', ' ', `\n${indent}    `]);
    if (this.chance(2)) return `[${space}${items().join(`,${space || ' '}`)}${space}]`;
    return `{${space}${items().map((item, index) => `k${index}: ${item}`).join(`,${space || ' '}`)}${space}}`;
  }

  private flowScalar(): string {
    const text = plainScalar(this.random);
    return /^[\w.+~-]+$/.test(text) ? text : JSON.stringify(text);
  }
}
