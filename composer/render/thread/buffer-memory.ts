/**
 * The memory of buffers, which is outside of the heap, so that the limit of a thread does not count it. Each constructor adds what it is
 * about to take; when the sum reaches the limit, garbage is collected, and what is left then replaces it.
 */
export class BufferMemory {
  public isExceeded = false;
  private counted = 0;
  private limit = Infinity;

  /**
   * @param inUse bytes that buffers of the thread hold now, garbage too
   * @param collect collects all garbage: it alone must not decide whether a claim can be composed
   */
  public constructor(private readonly inUse: () => number, private readonly collect: () => void) {}

  /** Begins a job. */
  public begin(limitBytes: number): void {
    this.isExceeded = false;
    this.counted = this.inUse();
    this.limit = this.counted + limitBytes;
  }

  public end(): void {
    this.limit = Infinity;
  }

  /** Replaces the constructors of the thread by ones that count. */
  public guard(): void {
    const constructors = Object.getOwnPropertyNames(globalThis).filter((name) => /^(Shared)?ArrayBuffer$|^(Big)?(Ui|I)nt\d+(Clamped)?Array$|^Float\d+Array$/.test(name));
    for (const name of constructors) this.guardConstructor(name);
    const allocating = Buffer as unknown as Record<string, (size: unknown, ...more: unknown[]) => unknown>;
    for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow']) {
      const allocate = allocating[name]!.bind(Buffer);
      allocating[name] = (size, ...more) => (this.take(size, 1), allocate(size, ...more));
    }
    const { from, concat } = Buffer;
    allocating.from = (value, ...more) => (this.take(lengthOf(value), 1), (from as (...args: unknown[]) => unknown)(value, ...more));
    allocating.concat = (list, total) => {
      const sum = Array.isArray(list) ? list.reduce((all: number, one) => all + lengthOf(one), 0) : 0;
      this.take(Math.max(sum, Number(total) || 0), 1);
      return concat(list as Uint8Array[], total as number | undefined);
    };
  }

  private guardConstructor(name: string): void {
    const global = globalThis as unknown as Record<string, new (...args: unknown[]) => object>;
    const original = global[name]!;
    const { BYTES_PER_ELEMENT: width = 1 } = original as { BYTES_PER_ELEMENT?: number };
    const guarded: object = new Proxy(original, {
      construct: (target, args: unknown[], newTarget) => {
        const [first, options] = args;
        this.take(typeof first === 'number' ? first : lengthOf(first), width);
        this.take((options as { maxByteLength?: number } | undefined)?.maxByteLength, 1);
        return Reflect.construct(target, args, newTarget === guarded ? target : newTarget) as object;
      },
    });
    // `slice` and `map` ask the prototype for the constructor.
    Object.defineProperty(original.prototype, 'constructor', { value: guarded, writable: true, configurable: true });
    Object.defineProperty(globalThis, name, { value: guarded, writable: true, configurable: true });
  }

  private take(length: unknown, width: number): void {
    if (typeof length !== 'number' || !(length > 0)) return;
    const bytes = length * width;
    this.counted += bytes;
    if (this.counted <= this.limit) return;
    this.counted = this.inUse() + bytes;
    if (this.counted <= this.limit) return;
    this.collect();
    this.counted = this.inUse() + bytes;
    if (this.counted <= this.limit) return;
    this.isExceeded = true;
    throw new RangeError('buffers take more memory than the limit of the definition (limits.memoryMb)');
  }
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  // A view of a buffer takes no memory of its own.
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return 0;
  const { length, byteLength } = value as { length?: unknown; byteLength?: unknown };
  return typeof byteLength === 'number' ? byteLength : typeof length === 'number' ? length : 0;
}
