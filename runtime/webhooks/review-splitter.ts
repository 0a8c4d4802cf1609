import { MalformedReviewError } from './review';

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const OPEN_BRACE = '{'.charCodeAt(0);
const CLOSE_BRACE = '}'.charCodeAt(0);
const OPEN_BRACKET = '['.charCodeAt(0);
const CLOSE_BRACKET = ']'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
/** `{"request":{"objects":[` */
const ELEMENT_DEPTH = 3;
/** Bytes of one object, and of a review without its objects. */
const LARGEST_ELEMENT = 8 * 1024 * 1024;
const LARGEST_FRAME = 1024 * 1024;

/** The bytes of a ConversionReview, taken apart without making values of all of it at once. */
export interface SplitReview {
  /** The review with an empty list in the place of `request.objects`. */
  readonly frame: string;
  /** Where in the bytes each element of `request.objects` begins and ends; undefined where there is no such list. */
  readonly elements?: readonly (readonly [start: number, end: number])[];
}

/**
 * Finds the elements of `request.objects` in one go over the bytes. Whether they are JSON is seen when they are parsed.
 *
 * @throws MalformedReviewError where values nest too deeply, or brackets do not fit
 */
export function splitReview(body: Buffer, mostLevels: number): SplitReview {
  const scanner = new Scanner(body, mostLevels);
  scanner.run();
  const { list, elements } = scanner;
  const frameBytes = body.length - (list ? list[1] - list[0] : 0);
  if (frameBytes > LARGEST_FRAME) throw new MalformedReviewError(`the body holds ${frameBytes} bytes besides request.objects`);
  if (!list) return { frame: body.toString('utf8') };
  const largest = elements.find(([start, end]) => end - start > LARGEST_ELEMENT);
  if (largest) throw new MalformedReviewError(`request.objects[${elements.indexOf(largest)}] is longer than ${LARGEST_ELEMENT} bytes`);
  return { frame: `${body.toString('utf8', 0, list[0])}[]${body.toString('utf8', list[1])}`, elements };
}

/** @throws MalformedReviewError where values nest too deeply */
export function checkNesting(body: Buffer, mostLevels: number): void {
  new Scanner(body, mostLevels).run();
}

class Scanner {
  public list?: readonly [start: number, end: number];
  public readonly elements: (readonly [start: number, end: number])[] = [];
  private depth = 0;
  private position = 0;
  /** The last text at depths 1 and 2: names of members, as far as it matters here. */
  private readonly names = ['', '', ''];
  /** Where the list, and the element in it, begin; -1: not in one. */
  private listStart = -1;
  private elementStart = -1;

  public constructor(private readonly body: Buffer, private readonly mostLevels: number) {}

  public run(): void {
    const { body } = this;
    for (; this.position < body.length; this.position += 1) {
      switch (body[this.position]) {
        case QUOTE:
          this.text();
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.open(body[this.position] === OPEN_BRACKET);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.close();
          break;
        case COMMA:
          if (this.inList) this.element();
          break;
      }
    }
    if (this.listStart >= 0) throw new MalformedReviewError('the body is not JSON: request.objects has no end');
  }

  /** Directly in the list, between or in elements that are no objects. */
  private get inList(): boolean {
    return this.listStart >= 0 && this.depth === ELEMENT_DEPTH;
  }

  private open(isList: boolean): void {
    this.depth += 1;
    if (this.depth > this.mostLevels) throw new MalformedReviewError(`the body nests deeper than ${this.mostLevels} levels`);
    if (isList && this.depth === ELEMENT_DEPTH && !this.list && this.names[1] === 'request' && this.names[2] === 'objects') {
      this.listStart = this.position;
      this.elementStart = this.position + 1;
    }
  }

  private close(): void {
    if (this.inList) {
      this.element();
      this.list = [this.listStart, this.position + 1];
      this.listStart = -1;
    }
    this.depth -= 1;
  }

  /** An element of the list has ended here. */
  private element(): void {
    const isBlank = this.body.toString('latin1', this.elementStart, Math.min(this.position, this.elementStart + 64)).trim() === '';
    if (!isBlank || this.body[this.position] === COMMA || this.elements.length > 0) this.elements.push([this.elementStart, this.position]);
    this.elementStart = this.position + 1;
  }

  private text(): void {
    const { body } = this;
    const start = this.position + 1;
    let end = body.indexOf(QUOTE, start);
    while (end > 0 && this.isEscaped(start, end)) end = body.indexOf(QUOTE, end + 1);
    if (end < 0) end = body.length;
    if (this.depth === 1 || this.depth === 2) this.names[this.depth] = body.toString('utf8', start, Math.min(end, start + 16));
    this.position = end;
  }

  /** Whether an odd number of backslashes stands before the quote. */
  private isEscaped(start: number, quote: number): boolean {
    let at = quote;
    while (at > start && this.body[at - 1] === BACKSLASH) at -= 1;
    return (quote - at) % 2 === 1;
  }
}
