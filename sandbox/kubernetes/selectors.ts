import { ApiError } from './api-error';
import type { StoredObject } from './objects';
import { isRecord } from '../../src/util/records';

export type Predicate = (object: StoredObject) => boolean;

const KEY = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const EQUALITY = new RegExp(`^\\s*(${KEY})\\s*(==|=|!=)\\s*([^\\s,()]*)\\s*$`);
const SET = new RegExp(`^\\s*(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*$`);
const EXISTS = new RegExp(`^\\s*(!?)\\s*(${KEY})\\s*$`);
const COMPARISON = new RegExp(`^\\s*(${KEY})\\s*([<>])\\s*(-?\\d+)\\s*$`);

/** `app=web,tier in (a,b),!canary` */
export function labelSelector(selector: string | null): Predicate {
  if (!selector?.trim()) return () => true;
  const parts = splitOutsideParentheses(selector).map(labelRequirement);
  return (object) => parts.every((matches) => matches(object.metadata.labels ?? {}));
}

function labelRequirement(text: string): (labels: Readonly<Record<string, string>>) => boolean {
  const equality = EQUALITY.exec(text);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
  }
  const set = SET.exec(text);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    const isIn = ({ [key]: value }: Readonly<Record<string, string>>) => value !== undefined && values.includes(value);
    return operator === 'in' ? isIn : (labels) => !isIn(labels);
  }
  const comparison = COMPARISON.exec(text);
  if (comparison) {
    const [, key = '', operator, value] = comparison;
    return (labels) =>
      labels[key] !== undefined && (operator === '<' ? Number(labels[key]) < Number(value) : Number(labels[key]) > Number(value));
  }
  const exists = EXISTS.exec(text);
  if (exists) {
    const [, negation, key = ''] = exists;
    return (labels) => (labels[key] === undefined) === (negation === '!');
  }
  throw ApiError.badRequest(`unable to parse requirement: found '${text.trim()}', expected: !, identifier, or ')'`);
}

const METADATA_FIELDS = ['metadata.name', 'metadata.namespace'];

/** Fields of Kubernetes' own kinds that may be asked for besides name and namespace; of kinds that are not here, any. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  configmaps: [],
  secrets: ['type'],
  namespaces: ['status.phase'],
  serviceaccounts: [],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

interface Selected {
  readonly group: string;
  readonly plural: string;
  readonly custom: boolean;
}

/** `metadata.name=x,involvedObject.kind!=Pod`. Custom resources know the name and the namespace only. */
export function fieldSelector(selector: string | null, resource: Selected): Predicate {
  if (!selector?.trim()) return () => true;
  const parts = selector.split(',').filter((part) => part.trim()).map((part) => {
    const match = /^([^=!\s]+)\s*(==|=|!=)(.*)$/s.exec(part.trim());
    if (!match) throw ApiError.badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
    const [, field = '', operator, value = ''] = match;
    if (resource.custom && !METADATA_FIELDS.includes(field)) throw ApiError.badRequest(`field label not supported: ${field}`);
    const own = resource.group === '' ? OWN_FIELDS[resource.plural] : undefined;
    if (own && ![...METADATA_FIELDS, ...own].includes(field)) throw ApiError.badRequest(unknownField(resource.plural, field));
    const path = field.split('.');
    return { path, value: value.trim(), equals: operator !== '!=' };
  });
  return (object) => parts.every(({ path, value, equals }) => (textAt(object, path) === value) === equals);
}

function unknownField(plural: string, field: string): string {
  return ['configmaps', 'serviceaccounts'].includes(plural)
    ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${field}`;
}

function textAt(object: StoredObject, path: readonly string[]): string {
  const value = path.reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), object);
  return value === undefined || value === null ? '' : String(value);
}

const splitOutsideParentheses = (text: string): string[] => text.split(/,(?![^()]*\))/);
