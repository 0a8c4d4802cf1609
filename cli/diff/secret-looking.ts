/** Property and setting names whose texts may be secrets, wherever somebody put one in plain text. */
const NAME = /password|passwd|\bpwd\b|passphrase|secret|token|credential|connection_?-?string|(account|access|shared|primary|secondary|private|api|storage|encryption|license|admin)[_-]?keys?$|sas(url|uri|_|$)|certificate(data|blob)?$|customdata|userdata/i;

/** Texts that are secrets whatever their name is. */
const VALUE = /\b(account|sharedaccess|access)key(value)?=|sharedaccesssignature|[?&;]sig=|\b(password|pwd)=|-----BEGIN|\beyJ[\w-]{10}|:\/\/[^/\s:@]+:[^/\s@]+@/i;

/**
 * Whether a value must not be shown: its path is one of secrets, or the value is one. Better once too often than once too seldom.
 * @param path `siteConfig.appSettings[DB_PASSWORD].value`: the last name and the last one in brackets count
 */
export function looksSecret(path: string, ...values: readonly unknown[]): boolean {
  if (!values.some((value) => typeof value === 'string')) return false;
  const last = path.replace(/\]$/, '').split(/[.[\]]/).at(-1) ?? '';
  const [element = ''] = path.slice(path.lastIndexOf('[') + 1).split(']');
  if (NAME.test(last) || (path.includes('[') && NAME.test(element))) return true;
  return values.some((value) => typeof value === 'string' && VALUE.test(value));
}
