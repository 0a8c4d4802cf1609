const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** The formats of strings that a server checks; like a server, this one lets pass what it does not know. */
const FORMATS: Record<string, (value: string) => boolean> = {
  'date-time': (value) => DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
  'date': (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
  'byte': (value) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
  'uuid': (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  'ipv4': (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split('.').every((part) => Number(part) < 256),
};

export const hasFormat = (format: string, value: string): boolean => FORMATS[format]?.(value) ?? true;
