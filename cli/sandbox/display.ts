import type { Board, Entry } from './board';
import { frame } from './frame';
import { changeText, treeText } from './tree';
import { Redraw, type Screen } from '../output/screen';
import type { Style } from '../output/terminal';

const FRAME = 120;
/** Width of the tree in files and logs. */
const PLAIN_COLUMNS = 140;

/** Shows how the objects come along: a tree that redraws itself on a terminal, a line a change elsewhere. */
export class Display {
  private timer?: NodeJS.Timeout;
  private readonly startedAt = Date.now();
  private readonly redraw: Redraw;

  public constructor(private readonly board: Board, private readonly screen: Screen, private readonly style: Style) {
    this.redraw = new Redraw(screen);
  }

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
    this.redraw.erase();
    this.screen.write(`${line}\n`);
  }

  /** The tree as it is in the end. */
  public finish(): void {
    clearInterval(this.timer);
    this.redraw.erase();
    const lines = treeText(this.board.list(), this.style, Date.now(), this.screen.isTTY ? this.redraw.columns : PLAIN_COLUMNS);
    this.screen.write(lines.length > 0 ? `${lines.join('\n')}\n` : '');
  }

  private draw(): void {
    // A line that has left the screen at the top cannot be drawn again.
    const { rows, columns } = this.redraw;
    this.redraw.draw(frame(this.board.list(), this.style, Date.now(), { rows, columns }));
  }
}
