import { replaceBlocks } from './pem';

export const REDACTED = '***';

/** Each pattern takes linear time: no two of its repetitions can match the same characters. */
const PATTERNS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // JSON Web Tokens, whole or cut.
  [/\beyJ[\w-][\w.-]*/g, REDACTED],
  [/\b(Bearer {1,8}|Basic {1,8})[\w.~+/=-]{16,}/gi, `$1${REDACTED}`],
  // Connection strings of storage accounts, service buses, event hubs, IoT hubs, and databases.
  [
    /\b((?:account|shared ?access|shared ?secret|primary|secondary|access)[ _]?key(?:value)?["']? ?[=:] ?["']?)[\w+/%=-]{16,}/gi,
    `$1${REDACTED}`,
  ],
  // Shared access signatures, in a URL or percent-encoded in another one.
  [/([?&;]|&amp;|%26|%3f|\\u0026)(sig(?:nature)?(?:=|%3d))[\w%+/=.~-]{8,}/gi, `$1$2${REDACTED}`],
  [/\b((?:password|pwd|client_?secret|client_assertion|access_token|refresh_token|id_token)=)[^\s;&"'<>\\]{6,4096}/gi, `$1${REDACTED}`],
];

/** Redacts texts with the form of a secret: tokens, keys, signatures and private keys, including those of other owners. */
export function redactTokens(text: string): string {
  return PATTERNS.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), replaceBlocks(text, REDACTED));
}
