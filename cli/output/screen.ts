/** A stream that can be drawn on. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Lines at the end of a terminal that are drawn again in their place. */
export class Redraw {
  private drawn = 0;
  private last = '';

  public constructor(private readonly screen: Screen) {}

  public get columns(): number {
    return this.screen.columns ?? 80;
  }

  public get rows(): number {
    return this.screen.rows ?? 24;
  }

  /** Draws the lines in the place of the last ones; each is cut to the width of the screen. */
  public draw(lines: readonly string[]): void {
    const fitting = lines.map((line) => `${clipped(line, this.columns)}\n`);
    const text = fitting.join('');
    if (this.drawn > 0 && text === this.last) return;
    this.erase();
    this.screen.write(text);
    this.drawn = fitting.length;
    this.last = text;
  }

  public erase(): void {
    if (this.drawn > 0) this.screen.write(`\u001b[${this.drawn}A\u001b[0J`);
    this.drawn = 0;
  }
}

/** A line no wider than the screen; escape sequences take no room. */
export function clipped(line: string, columns: number): string {
  let width = 0;
  let result = '';
  // eslint-disable-next-line no-control-regex
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (part.startsWith('\u001b')) {
      result += part;
      continue;
    }
    const rest = [...part].slice(0, Math.max(0, columns - 1 - width));
    width += rest.length;
    result += rest.join('');
  }
  return result;
}
