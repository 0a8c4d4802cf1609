import type { DocsFacts, NameRuleFacts, ServiceFacts, TypeFacts } from '../../src/catalog';
import { isRecord } from '../../src/util/records';
import type { ServiceCatalog } from '../facts/service';

/** File name → text. */
export type CatalogFiles = Readonly<Record<string, string>>;

/** The facts that all services share. */
export interface SharedFacts {
  readonly common: Record<string, TypeFacts>;
  readonly nameRules: Record<string, NameRuleFacts>;
}

/** The files of the catalog: one kind version and one type per line, so that a diff shows a release's changes. */
export function catalogFiles(services: readonly ServiceCatalog[], { common, nameRules }: SharedFacts): CatalogFiles {
  return {
    '_common.json': text({ types: common }, (path) => path.length < 2),
    '_name-rules.json': text({ nameRules }, (path) => path.length < 2),
    ...Object.assign({}, ...services.map(serviceFiles)),
  };
}

/** All files of a service. */
export function serviceFiles({ facts, docs, status }: ServiceCatalog): CatalogFiles {
  return { ...factsFiles(facts, docs), [`status/${facts.service}.json`]: text(status, isOpen) };
}

/** The files with a service's facts about specs, and with the documentation of its properties if there is any. */
export function factsFiles(facts: ServiceFacts, docs: DocsFacts | undefined): CatalogFiles {
  const { service } = facts;
  return {
    [`${service}.json`]: text(facts, isOpen),
    ...(docs ? { [`docs/${service}.json`]: text(docs, isOpen) } : {}),
  };
}

/** Whether each member of the object at this path has its own line. */
function isOpen(path: readonly string[]): boolean {
  if (path[0] === 'kinds') return path.length < 3 || (path.length === 3 && path[2] === 'versions');
  return path.length < 3;
}

function text(value: object, open: (path: readonly string[]) => boolean): string {
  return `${written(value, [], open)}\n`;
}

function written(value: unknown, path: readonly string[], open: (path: readonly string[]) => boolean): string {
  if (!isRecord(value) || !open(path)) return JSON.stringify(value);
  const indent = ' '.repeat(path.length + 1);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const members = entries.map(([key, each]) => `${indent}${JSON.stringify(key)}: ${written(each, [...path, key], open)}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${' '.repeat(path.length)}}`;
}
