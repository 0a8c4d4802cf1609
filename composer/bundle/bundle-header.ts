import { createHash } from 'node:crypto';
import { isRecord, text } from '../../src/util/records';

/** The first line of a bundle: what it was made for. */
export interface BundleHeader {
  readonly format: 1;
  /** Version of `cdk8s-aso` at the build. The composer must have the same. */
  readonly library: string;
  /** Versions of cdk8s and constructs at the build. The composer must have the same major versions. */
  readonly cdk8s: string;
  readonly constructs: string;
}

const PREFIX = '// cdk8s-aso platform API ';

/** The first line of a bundle, with its line break. */
export function headerLine({ format, library, cdk8s, constructs }: BundleHeader): string {
  return `${PREFIX}${JSON.stringify({ format, library, cdk8s, constructs })}\n`;
}

/** Whether a text is a bundle, of this format or another. */
export function isBundle(code: string): boolean {
  return code.startsWith(PREFIX);
}

/** @throws when the text is no bundle, or one of a later format */
export function headerOf(code: string): BundleHeader {
  const line = code.slice(0, 1000).split('\n', 1)[0]!;
  if (!isBundle(line)) throw new Error('this is no bundle of a platform API: build it with `cdk8s-aso api build`');
  let header: unknown;
  try {
    header = JSON.parse(line.slice(PREFIX.length));
  } catch {
    throw new Error('the first line of the bundle is damaged: build it again with `cdk8s-aso api build`');
  }
  const [library, cdk8s, constructs] = ['library', 'cdk8s', 'constructs'].map((name) => text(header, name));
  if (!isRecord(header) || header.format !== 1 || library === undefined || cdk8s === undefined || constructs === undefined) {
    throw new Error('the bundle has a format that this version does not know: build it again, or use the image of its version');
  }
  return { format: 1, library, cdk8s, constructs };
}

/** The revision of a bundle: the first 16 hex digits of its SHA-256. */
export function revisionOf(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
