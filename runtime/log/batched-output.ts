/** A turn of the event loop seldom logs this much; a write of more characters is not kept. */
const MOST_CHARACTERS = 65_536;

/**
 * Joins the lines of one turn of the event loop into one write, which saves a system call for each line. At the end of the process the
 * lines of the last turn are written.
 */
export class BatchedOutput {
  private lines = '';
  private isScheduled = false;

  /** @param output a stream that writes at once, such as standard error */
  public constructor(private readonly output: Pick<NodeJS.WritableStream, 'write'>) {}

  /** @param isUrgent whether the line is written at once, with those before it: a process that crashes may not get to the next turn */
  public write(line: string, isUrgent: boolean): void {
    this.lines += line;
    if (isUrgent || this.lines.length > MOST_CHARACTERS) return this.flush();
    if (this.isScheduled) return;
    this.isScheduled = true;
    const end = () => this.flush();
    process.once('exit', end);
    setImmediate(() => {
      this.isScheduled = false;
      process.removeListener('exit', end);
      this.flush();
    });
  }

  /** Writes what is kept. */
  public flush(): void {
    const { lines } = this;
    if (lines === '') return;
    this.lines = '';
    this.output.write(lines);
  }
}
