import fc from 'fast-check';
import { answer, put } from './fixtures';
import { armErrorFrom, describeArmError, errorOfBody } from '../../../engine/arm/arm-error';
import { classify, classifyDelete, isThrottled } from '../../../engine/arm/classify';
import { retryAfterSeconds } from '../../../engine/arm/retry-after';
import { ArmError } from '../../../engine/arm/types';

describe('reading an error', () => {
  test('under `error`, with details and target', () => {
    const error = armErrorFrom(
      answer(
        409,
        {
          error: {
            code: 'Conflict',
            message: 'no',
            target: 'sku',
            details: [{ code: 'A', message: 'inner\n one', target: 't' }, { message: 'no' }, { code: 'B' }],
          },
        },
        { 'x-ms-request-id': 'r1', 'retry-after': '7' },
      ),
    );
    expect(error).toMatchObject({
      code: 'Conflict',
      message: 'no',
      status: 409,
      target: 'sku',
      details: 'A: inner one (t); B',
      retryAfterSeconds: 7,
      extra: { requestId: 'r1' },
    });
    expect(describeArmError(error)).toBe('Conflict: no (target: sku) [A: inner one (t); B]');
  });

  test.each<[string, unknown, string, string]>([
    ['at top level', { code: 'X', message: 'm' }, 'X', 'm'],
    ['in other case', { Error: { Code: 'X', Message: 'm' } }, 'X', 'm'],
    ['with a number as code', { error: { code: 40000, message: 'm' } }, '40000', 'm'],
    ['without code', { error: { message: 'm' } }, 'UnknownError', 'm'],
    ['without message', { error: { code: 'X', message: '' } }, 'X', 'There was an unknown deployment error'],
    ['without anything', {}, 'UnknownError', 'There was an unknown deployment error'],
  ])('%s', (_, body, code, message) => expect(armErrorFrom(answer(500, body))).toMatchObject({ code, message, extra: {} }));

  test('no JSON: the text tells the request and the answer, without signatures of the URL', () => {
    const request = { method: 'GET' as const, url: 'https://management.azure.com/op?api-version=1&t=1&s=SIGNATURE' };
    const error = armErrorFrom({ status: 502, headers: {}, body: undefined, text: `<html>\n${'x'.repeat(5000)}` }, request);
    expect(error.message).toMatch(/^GET https:\/\/management.azure.com\/op\?api-version=1: HTTP 502: <html> x+…$/);
    expect(error.message).not.toContain('SIGNATURE');
    expect(error.message.length).toBeLessThan(700);
    expect(error.extra.unstructured).toBe(true);
    expect(armErrorFrom(answer(500), put).message).toContain('HTTP 500 with an empty body');
  });

  test('details are bounded, however deep and long', () => {
    let nested: unknown = { code: 'deep', message: 'deepest' };
    for (let depth = 0; depth < 50; depth += 1) nested = { code: `c${depth}`, message: 'm'.repeat(100), details: [nested] };
    expect(errorOfBody(nested).details!.length).toBeLessThanOrEqual(1000);
  });
});

describe('classification', () => {
  test.each<[string, number, string, string]>([
    ['AuthorizationFailed', 403, 'Warning', 'slow'],
    ['Conflict', 409, 'Warning', 'slow'],
    ['BadRequest', 400, 'Warning', 'verySlow'],
    ['SkuNotAvailable', 409, 'Warning', 'verySlow'],
    ['LocationRequired', 400, 'Error', 'slow'],
    ['PropertyChangeNotAllowed', 409, 'Error', 'slow'],
    ['locationrequired', 409, 'Warning', 'slow'],
    ['SomethingElse', 400, 'Warning', 'verySlow'],
    ['SomethingElse', 409, 'Warning', 'slow'],
    ['UnknownError', 400, 'Warning', 'verySlow'],
    ['TooManyRequests', 429, 'Warning', 'slow'],
  ])('%s with HTTP %i is %s, %s', (code, status, severity, retry) => {
    expect(classify(new ArmError(code, 'm', status))).toEqual({ code, message: 'm', severity, retry });
  });

  test('an answer that is no ARM error is slow even with HTTP 400', () => {
    expect(classify(armErrorFrom({ status: 400, headers: {}, body: undefined, text: 'nonsense' })).retry).toBe('slow');
  });

  test('throttling keeps what Azure asks for', () => {
    const error = armErrorFrom(answer(429, { error: { code: 'TooManyRequests', message: 'm' } }, { 'retry-after': '42' }));
    expect(classify(error).retryAfterSeconds).toBe(42);
    expect(isThrottled(error)).toBe(true);
    expect(isThrottled(new ArmError('Conflict', 'm', 409))).toBe(false);
  });

  test('a kind adjusts; a DELETE is never fatal', () => {
    const fatal = new ArmError('LocationRequired', 'm', 400);
    expect(classify(fatal, (classification) => ({ ...classification, severity: 'Warning', retry: 'verySlow' }))).toMatchObject({
      severity: 'Warning',
      retry: 'verySlow',
    });
    expect(classifyDelete(fatal)).toMatchObject({ severity: 'Warning', retry: 'slow' });
  });

  test('every error has a class', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }), (code, message, status) => {
        const found = classify(new ArmError(code, message, status));
        expect(['Warning', 'Error']).toContain(found.severity);
        expect(['fast', 'slow', 'verySlow']).toContain(found.retry);
        expect([found.code, found.message]).toEqual([code, message]);
      }),
    );
  });

  test('every body can be read', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.integer({ min: 400, max: 599 }), (body, status) => {
      const error = armErrorFrom(answer(status, body));
      expect(error.code).not.toBe('');
      expect(error.message).not.toBe('');
    }));
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2025-01-01T00:00:00Z');
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '5' }, 5],
    [{ 'retry-after': ' 5 ' }, 5],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '999999999' }, 3600],
    [{ 'retry-after-ms': '1500' }, 1.5],
    [{ 'retry-after': 'Wed, 01 Jan 2025 00:00:30 GMT' }, 30],
    [{ 'retry-after': 'Wed, 01 Jan 2025 00:00:30 GMT', 'date': 'Wed, 01 Jan 2025 00:00:20 GMT' }, 10],
    [{ 'retry-after': 'Tue, 31 Dec 2024 00:00:00 GMT' }, undefined],
    [{}, undefined],
  ])('%j → %p', (headers, want) => expect(retryAfterSeconds(headers, now)).toBe(want));
});
