const PART_BYTES = 65_536;

/** Collects texts as bytes, which keeps a long answer off the JavaScript heap. */
export class Parts {
  private readonly parts: Buffer[] = [];
  private texts: string[] = [];
  private length = 0;

  public add(text: string): void {
    this.texts.push(text);
    this.length += text.length;
    if (this.length >= PART_BYTES) this.flush();
  }

  public end(): readonly Buffer[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    this.parts.push(Buffer.from(this.texts.join('')));
    this.texts = [];
    this.length = 0;
  }
}
