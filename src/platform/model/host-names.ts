import type { PlatformProblems } from './problems';
import { listed } from '../../util/words';

/**
 * A host name in lower-case ASCII with two labels at least; names in other scripts in their form for DNS (`xn--…`).
 * @see https://www.rfc-editor.org/rfc/rfc1123#section-2.1
 */
const HOST_NAME = /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 253;
const WILDCARD = '*.';

/** Whether a text is a host name in lower case, without a dot at its end. */
export function isHostName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_LENGTH && HOST_NAME.test(text);
}

/** Whether a text is a name that a custom domain can have: a host name, or a wildcard in the place of its first label. */
export function isDomainName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_LENGTH && isHostName(withoutWildcard(text));
}

/** Adds problems for allowed host names that are neither a host name nor a wildcard. */
export function checkHostNames(allowed: readonly string[], problems: PlatformProblems): void {
  allowed.forEach((one, index) => {
    if (isDomainName(one)) return;
    problems.add(`hostNames[${index}]`, `'${one}' is no host name. Write one such as 'shop.example.com', or '*.shop.example.com' for all names below it, in lower case and without a dot at the end; other scripts as 'xn--…'.`);
  });
}

/** The domain of a wildcard such as `*.ledger.example.com`; undefined for a single host name. */
export function domainOfWildcard(allowed: string): string | undefined {
  return allowed.startsWith(WILDCARD) ? allowed.slice(WILDCARD.length) : undefined;
}

/** Whether a name is in a list of allowed ones. A wildcard stands for all names and wildcards below its domain only. */
export function isAllowedHostName(name: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => {
    const domain = domainOfWildcard(one);
    return domain === undefined ? name === one : name.endsWith(`.${domain}`);
  });
}

/**
 * The host name that a record speaks for: labels with `_` at their beginning, and all before them, are about the name after them, as
 * `_dnsauth.shop.example.com` is about `shop.example.com`.
 */
export function hostNameOfRecord(name: string): string {
  const labels = name.split('.');
  return labels.slice(labels.map((label) => label.startsWith('_')).lastIndexOf(true) + 1).join('.');
}

/** `ledger.example.com` for `*.ledger.example.com`; other names as they are. */
export function withoutWildcard(text: string): string {
  return domainOfWildcard(text) ?? text;
}

/** The rule for host names, in errors at synth and in answers of the API server. */
export function hostNameRule(allowed: readonly string[]): string {
  return `has to be a host name that the team may have: ${listed(allowed, 'or') || 'none'}.`;
}
