import { counted } from '../../src/util/words';
/** Errors of single fields, in the words of `k8s.io/apimachinery/pkg/util/validation/field`. */
export interface FieldError {
  /** `FieldValueRequired`, `FieldValueInvalid`, … */
  readonly reason: string;
  /** `spec.location` */
  readonly field: string;
  /** Without the field: `Required value`. */
  readonly body: string;
  /** With the field: `spec.location: Required value`. */
  readonly text: string;
}

export const required = (field: string, detail = ''): FieldError => error('FieldValueRequired', field, 'Required value', detail);

export const invalid = (field: string, value: unknown, detail: string): FieldError =>
  error('FieldValueInvalid', field, `Invalid value: ${formatValue(value)}`, detail);

export const typeInvalid = (field: string, value: unknown, detail: string): FieldError =>
  error('FieldValueTypeInvalid', field, `Invalid value: ${formatValue(value)}`, detail);

export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): FieldError =>
  error(
    'FieldValueNotSupported',
    field,
    `Unsupported value: ${formatValue(value)}`,
    `supported values: ${supported.map((one) => JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one))).join(', ')}`,
  );

export const forbidden = (field: string, detail: string): FieldError => error('FieldValueForbidden', field, 'Forbidden', detail);

export const duplicate = (field: string, value: unknown): FieldError =>
  error('FieldValueDuplicate', field, `Duplicate value: ${formatValue(value)}`, '');

export const tooLong = (field: string, most: number): FieldError =>
  error('FieldValueTooLong', field, 'Too long', `may not be more than ${most} bytes`);

export const tooMany = (field: string, actual: number, most: number): FieldError =>
  error('FieldValueTooMany', field, `Too many: ${actual}`, `must have at most ${counted(most, 'item')}`);

function error(reason: string, field: string, what: string, detail: string): FieldError {
  const body = detail ? `${what}: ${detail}` : what;
  return { reason, field, body, text: field ? `${field}: ${body}` : body };
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value) ?? 'null');
