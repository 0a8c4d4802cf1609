import type { Board, Entry } from './board';
import { frame } from './frame';
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
/** Width of the tree in files and logs. */
const PLAIN_COLUMNS = 140;

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
    const lines = treeText(this.board.list(), this.style, Date.now(), this.screen.isTTY ? this.columns : PLAIN_COLUMNS);
    this.screen.write(lines.length > 0 ? `${lines.join('\n')}\n` : '');
  }

  private draw(): void {
    // A line that has left the screen at the top cannot be drawn again.
    const lines = frame(this.board.list(), this.style, Date.now(), { rows: this.screen.rows ?? 24, columns: this.columns });
    const fitting = lines.map((line) => clipped(line, this.columns));
    this.erase();
    this.screen.write(fitting.map((line) => `${line}\n`).join(''));
    this.drawn = fitting.length;
  }

  private get columns(): number {
    return this.screen.columns ?? 80;
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
