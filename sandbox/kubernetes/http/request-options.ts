import { ApiError } from '../api-error';
import type { FieldError } from '../field-error';
import { notSupported } from '../field-error';
import type { ApiRequest } from './answer';
import { mediaType, parseBody } from './body';
import { isRecord } from '../../../src/util/records';
import type { DeleteOptions, FieldValidation, WriteOptions } from '../operations/request';

export const flag = (query: URLSearchParams, name: string): boolean =>
  query.has(name) && query.get(name) !== 'false' && query.get(name) !== '0';

const VALIDATIONS: readonly string[] = ['Ignore', 'Strict', 'Warn'] satisfies FieldValidation[];
const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'] satisfies DeleteOptions['propagationPolicy'][];
const DELETE_OPTIONS = 'DeleteOptions';
/** The names of the options in error messages, by method. */
const OPTIONS = new Map([['POST', 'CreateOptions'], ['PUT', 'UpdateOptions'], ['PATCH', 'PatchOptions'], ['DELETE', DELETE_OPTIONS]]);

/** @throws ApiError 422 for values that there are not: what was not understood must not be carried out. */
export function writeOptions({ method, query, headers }: ApiRequest): WriteOptions {
  const fieldValidation = query.get('fieldValidation') || 'Warn';
  const dryRun = query.getAll('dryRun');
  const errors = [
    ...dryRunErrors(dryRun),
    ...(VALIDATIONS.includes(fieldValidation) ? [] : [notSupported('fieldValidation', fieldValidation, ['', ...VALIDATIONS])]),
  ];
  if (errors.length > 0) throw ApiError.invalid('meta.k8s.io', OPTIONS.get(method) ?? '', '', errors);
  const manager = query.get('fieldManager') ?? undefined;
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation as FieldValidation,
    // A merge patch without a name is the client's program; server-side apply insists on a name.
    fieldManager: manager ?? (mediaType(headers['content-type']).includes('apply') ? undefined : headers['user-agent']?.split('/')[0]),
    force: flag(query, 'force'),
  };
}

/** From the body, or where there is none from the query. Throws ApiError 422 for values that there are not. */
export function deleteOptions({ body, query, headers }: ApiRequest): DeleteOptions {
  const given = body.length > 0
    ? parseBody(mediaType(headers['content-type']), body)
    : { dryRun: query.getAll('dryRun'), propagationPolicy: query.get('propagationPolicy') ?? undefined };
  const options = isRecord(given) ? (given as DeleteOptions) : {};
  const { propagationPolicy } = options;
  const dryRun = options.dryRun ?? [];
  const errors = [
    ...(!propagationPolicy || POLICIES.includes(propagationPolicy)
      ? []
      : [notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil'])]),
    ...dryRunErrors(dryRun),
  ];
  if (errors.length > 0) throw ApiError.invalid('meta.k8s.io', DELETE_OPTIONS, '', errors);
  return { ...options, ...(propagationPolicy && { propagationPolicy }), dryRun };
}

function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((one) => one === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

/** @throws ApiError 400 for what is no number. */
export function listLimit(query: URLSearchParams): number {
  const limit = query.get('limit') || '0';
  if (!/^[-+]?\d+$/.test(limit)) throw ApiError.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(limit)}: invalid syntax`);
  return Number(limit);
}
