import { nextReconcile, NO_RETRIES, type RetryCounters } from '../../../controller/reconcile/core/backoff';
import { warning, type Failure } from '../../../controller/reconcile/core/failure';
import { failureOf, refusalOf } from '../../../controller/reconcile/failures';
import { ArmError } from '../../../engine/arm/types';
import { tokenError } from '../../../engine/credentials/token-error';
import { CredentialError } from '../../../engine/credentials/types';

const delays = (failure: Failure, count: number): number[] => {
  let counters: RetryCounters = NO_RETRIES;
  return Array.from({ length: count }, () => {
    const next = nextReconcile({ kind: 'failure', failure }, counters, { syncPeriod: 3_600_000 }, 0.5);
    counters = next.counters;
    return next.delay! / 1000;
  });
};

test('what a new principal may get is tried every ten seconds for three minutes, then as seldom as everything else', () => {
  const all = delays({ ...warning('AuthorizationFailed', 'x'), mayPropagate: true }, 26);
  expect(all.slice(0, 20)).toEqual([1, 2, 4, 8, ...Array.from({ length: 16 }, () => 10)]);
  expect(all.slice(20)).toEqual([16, 32, 64, 128, 180, 180]);
  // Azure needs up to 120 s: then the next try is never more than ten seconds away.
  let at = 0;
  for (const delay of all.slice(0, 20)) {
    expect(at > 120 || delay <= 10).toBe(true);
    at += delay;
  }
  expect(at).toBeGreaterThan(120);
});

test('what Azure asks to wait is waited', () => {
  expect(delays({ ...warning('AuthorizationFailed', 'x'), mayPropagate: true, retryAfterSeconds: 40 }, 2)).toEqual([40, 40]);
});

test.each([
  ['AuthorizationFailed', 403, true],
  ['LinkedAuthorizationFailed', 403, true],
  ['PrincipalNotFound', 400, true],
  ['Conflict', 409, undefined],
  ['QuotaExceeded', 409, undefined],
])('the answer %s of Azure', (code, status, expected) => {
  const error = new ArmError(code, 'm', status);
  expect(refusalOf(error).mayPropagate).toBe(expected);
  // The reason and the class are those of ASO.
  expect(refusalOf(error)).toMatchObject({ severity: 'Warning', reason: code, retry: 'slow' });
  expect(failureOf(error).mayPropagate).toBe(expected);
});

test.each([
  ['AADSTS700016', 'CredentialRejected', true],
  ['AADSTS7000229', 'CredentialRejected', true],
  ['AADSTS70021', 'FederatedCredentialNotFound', true],
  ['AADSTS70025', 'FederatedCredentialNotFound', true],
  ['AADSTS700213', 'FederatedCredentialNotFound', true],
  ['AADSTS700211', 'FederatedCredentialNotFound', true],
  // Time does not make a wrong secret right, and Entra locks out who tries too often.
  ['AADSTS7000215', 'CredentialRejected', undefined],
  ['AADSTS7000222', 'CredentialExpired', undefined],
  ['AADSTS90002', 'CredentialRejected', undefined],
])('the answer %s of Entra', (code, reason, expected) => {
  const error = tokenError(new Error(`${code}: something`), {
    where: 'credential Secret "a/b"',
    mode: 'workloadIdentity',
    authorityHost: 'https://login.microsoftonline.com',
  });
  expect(error).toBeInstanceOf(CredentialError);
  expect(failureOf(error)).toMatchObject({ reason, severity: 'Warning', ...(expected ? { mayPropagate: true } : {}) });
  expect(failureOf(error).mayPropagate).toBe(expected);
});
