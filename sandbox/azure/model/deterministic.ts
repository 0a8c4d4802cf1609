import { createHash } from 'node:crypto';

/** Values that look random and are the same for the same seed and the same words. */
export class Deterministic {
  public constructor(private readonly seed: string | number) {}

  public uuid(...words: (string | number)[]): string {
    const hex = this.digest(words).toString('hex');
    const variant = '89ab'[parseInt(hex.charAt(16), 16) % 4];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** A key as Azure's services hand them out: base64 of 32 bytes. It opens nothing. */
  public key(...words: (string | number)[]): string {
    return this.digest(words).toString('base64');
  }

  /** In [from, to). */
  public integer(from: number, to: number, ...words: (string | number)[]): number {
    return from + (this.digest(words).readUInt32BE(0) % (to - from));
  }

  private digest(words: (string | number)[]): Buffer {
    return createHash('sha256').update([this.seed, ...words].join('\0')).digest();
  }
}
