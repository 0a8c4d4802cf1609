import type { Board, Entry } from './board';
import { changeText, treeText } from './tree';
import type { Style } from '../output/terminal';

/** A stream that can be drawn on. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const FRAME = 120;

/** Shows how the objects come along: a tree that redraws itself on a terminal, a line a change elsewhere. */
export class Display {
  private drawn = 0;
  private timer?: NodeJS.Timeout;
  private readonly startedAt = Date.now();

  public constructor(private readonly board: Board, private readonly screen: Screen, private readonly style: Style) {}

  public start(): void {
    if (!this.screen.isTTY) return;
    this.timer = setInterval(() => this.draw(), FRAME);
    this.draw();
  }

  public changed(entry: Entry): void {
    if (!this.screen.isTTY) this.screen.write(`${changeText(entry, this.style, this.startedAt)}\n`);
  }

  /** A line that stays, above the tree. */
  public say(line: string): void {
    this.erase();
    this.screen.write(`${line}\n`);
  }

  /** The tree as it is in the end. */
  public finish(): void {
    clearInterval(this.timer);
    this.erase();
    const lines = treeText(this.board.list(), this.style, Date.now());
    this.screen.write(lines.length > 0 ? `${lines.join('\n')}\n` : '');
  }

  private draw(): void {
    const lines = treeText(this.board.list(), this.style, Date.now());
    // A line that has left the screen at the top cannot be drawn again.
    const fitting = lines.slice(0, Math.max(1, (this.screen.rows ?? 25) - 2)).map((line) => clipped(line, this.screen.columns ?? 80));
    this.erase();
    this.screen.write(fitting.map((line) => `${line}\n`).join(''));
    this.drawn = fitting.length;
  }

  private erase(): void {
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
