/** One block of PEM, with its delimiter lines. */
export interface PemBlock {
  /** `CERTIFICATE`, `PRIVATE KEY`, … */
  readonly label: string;
  readonly text: string;
}

const BEGIN = '-----BEGIN ';
const LABEL = /^([A-Z0-9 ]{1,40})-----/;

/** The blocks of a text, in one pass. A BEGIN line without its END line before the next BEGIN is skipped. */
export function pemBlocks(text: string): PemBlock[] {
  const [, ...parts] = text.split(BEGIN);
  return parts.flatMap((part) => {
    const label = LABEL.exec(part)?.[1];
    if (label === undefined) return [];
    const ending = `-----END ${label}-----`;
    const end = part.indexOf(ending);
    return end < 0 ? [] : [{ label, text: `${BEGIN}${part.slice(0, end)}${ending}` }];
  });
}

/** The bytes of a block, without its headers. */
export function derOfPem({ text }: PemBlock): Buffer {
  const lines = text.split('\n').slice(1, -1).map((line) => line.trim());
  return Buffer.from(lines.filter((line) => !line.includes(':')).join(''), 'base64');
}
