/** A part of a regular expression, as far as texts that it fits are to be made. */
type Part =
  | { readonly is: 'atom'; readonly samples: readonly string[] }
  | { readonly is: 'choice'; readonly choices: readonly (readonly Part[])[] }
  | { readonly is: 'repeat'; readonly part: Part; readonly least: number };

/** A text that may cost a pattern much: what has to come first, and what is repeated after it. */
export interface Hostile {
  readonly prefix: string;
  readonly unit: string;
}

const CANDIDATES = [...'aA0 \n-./"\'_=,:;\\{}[]()<>%?#&+*!~`|$@^\t\r', 'é', '\u2028', '…'];
/** Samples of one class of characters. */
const MOST_SAMPLES = 6;
const MOST_TEXTS = 160;

/**
 * Texts that repeat what the repeating parts of a pattern fit, after what has to come before them; and texts that repeat the beginning of
 * the pattern, up to each of its parts: each repetition is a place from which the engine looks for the rest.
 */
export function hostileTexts(source: string, flags: string): Hostile[] {
  const found = new Map<string, Hostile>();
  const add = (prefix: string, unit: string): void => {
    if (unit !== '' && found.size < MOST_TEXTS) found.set(JSON.stringify([prefix, unit]), { prefix, unit });
  };
  const walk = (parts: readonly Part[], before: string): void => {
    let prefix = before;
    for (const part of parts) {
      visit(part, prefix);
      prefix += sampleOf(part);
      add('', prefix);
    }
  };
  const visit = (part: Part, prefix: string): void => {
    if (part.is === 'choice') for (const choice of part.choices) walk(choice, prefix);
    if (part.is !== 'repeat') return;
    for (const unit of unitsOf(part.part)) {
      add(prefix, unit);
      add('', prefix + unit);
    }
    visit(part.part, prefix);
  };
  walk([new Reader(source, flags.replace(/[gy]/g, '')).choice()], '');
  for (const unit of ['a', ' ', '/', '\n', 'a.', 'a-']) add('', unit);
  const texts = [...found.values()];
  // Where the beginning of the text fits one alternative, the others are not reached.
  return source.includes('^') ? [...texts, ...texts.map(({ prefix, unit }) => ({ prefix: `\u0000${prefix}`, unit }))] : texts;
}

function unitsOf(part: Part): string[] {
  if (part.is === 'atom') return [...part.samples];
  if (part.is === 'repeat') return unitsOf(part.part);
  return part.choices
    .flatMap((choice) => [choice.map(sampleOf).join(''), ...(choice.length === 1 ? unitsOf(choice[0]!) : [])])
    .slice(0, 2 * MOST_SAMPLES);
}

function sampleOf(part: Part): string {
  if (part.is === 'atom') return part.samples[0] ?? '';
  if (part.is === 'choice') return part.choices[0]!.map(sampleOf).join('');
  return sampleOf(part.part).repeat(Math.min(part.least, 100));
}

/** Reads the source of a regular expression, which is known to be one. */
class Reader {
  private at = 0;

  public constructor(private readonly source: string, private readonly flags: string) {}

  public choice(): Part {
    const choices: Part[][] = [[]];
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      if (this.source[this.at] === '|') {
        this.at += 1;
        choices.push([]);
        continue;
      }
      const part = this.repeated(this.part());
      if (part) choices[choices.length - 1]!.push(part);
    }
    return { is: 'choice', choices };
  }

  /** Undefined: what has no width of its own. */
  private part(): Part | undefined {
    const start = this.at;
    const character = this.source[this.at];
    if (character === '(') return this.group();
    if (character === '^' || character === '$') {
      this.at += 1;
      return undefined;
    }
    const match = this.take(
      character === '['
        ? /\[(?:\\.|[^\]\\])*\]/y
        : /\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|\d+|.)|[^]/y,
    );
    if (/^\\(?:[bB]|k<|[1-9])/.test(match)) return undefined;
    return { is: 'atom', samples: this.samples(this.source.slice(start, this.at)) };
  }

  private group(): Part | undefined {
    const opening = this.take(/\((?:\?(?:<?[=!]|:|<[^>]*>))?/y);
    const inner = this.choice();
    this.at += 1;
    // Positive lookahead is tried as well; negative lookahead is not.
    return opening.endsWith('!') ? undefined : inner;
  }

  private repeated(part: Part | undefined): Part | undefined {
    const sign = this.take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (sign === '' || !part) return part;
    const least = sign.startsWith('{') ? parseInt(sign.slice(1), 10) : sign.startsWith('+') ? 1 : 0;
    return { is: 'repeat', part, least };
  }

  private samples(atom: string): string[] {
    const expression = new RegExp(`^(?:${atom})$`, this.flags);
    const own = [...this.source].filter((character) => !CANDIDATES.includes(character));
    return [...CANDIDATES, ...new Set(own), '\u0000'].filter((character) => expression.test(character)).slice(0, MOST_SAMPLES);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [text] = pattern.exec(this.source) ?? [''];
    this.at += text.length;
    return text;
  }
}
