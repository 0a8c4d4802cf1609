import type { Answer } from './azure-model';
import type { Contrary } from '../../sandbox/azure/contrary/contrary';
import { inOtherWords } from '../../sandbox/azure/contrary/spelling';
import { isRecord } from '../../src/util/records';

type Body = Readonly<Record<string, unknown>>;

/** Of the contrary mode's ways those of telling a resource: how operations end, and what comes late, has faults of its own here. */
const WAYS = ['regions', 'ids', 'roles', 'order', 'additions', 'values', 'empties', 'stateless'];

/** The seed of the contrary mode in which a run's Azure tells all resources. */
export function contrarySeed(seed: number): string {
  return `${seed}:${WAYS.join(',')}`;
}

/** An answer of Azure with each resource in it told in the ways of the contrary mode: one, those of a list, or those of Resource Graph. */
export function inContraryWords(contrary: Contrary, answer: Answer): Answer {
  const { status, body } = answer;
  if (status >= 300 || !isRecord(body)) return answer;
  return { ...answer, body: isResource(body) ? respelled(contrary, body) : withRows(contrary, body) };
}

function withRows(contrary: Contrary, body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([name, rows]) => (
    [name, Array.isArray(rows) ? rows.map((row) => (isResource(row) ? respelled(contrary, row) : row)) : rows])));
}

function isResource(value: unknown): value is Body {
  return isRecord(value) && typeof value.id === 'string' && isRecord(value.properties);
}

function respelled(contrary: Contrary, resource: Body): Body {
  const hasType = typeof resource.type === 'string';
  const { type, ...others } = inOtherWords(contrary, hasType ? resource : { ...resource, type: typeOf(String(resource.id)) });
  return hasType ? { type, ...others } : others;
}

function typeOf(id: string): string {
  const segments = id.split('/').slice(1);
  const provider = segments.map((segment) => segment.toLowerCase()).lastIndexOf('providers');
  if (provider < 0) return 'Microsoft.Resources/resourceGroups';
  return [segments[provider + 1], ...segments.slice(provider + 2).filter((_, index) => index % 2 === 0)].join('/');
}
