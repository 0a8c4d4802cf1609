import { describe } from './describe';
import { locate } from './locate';
import { Models } from './models';
import { subjectOf, type Subject } from './subject';
import { explanationText } from './text';
import { submoduleOf } from '../../codegen/names';
import { Catalog, type Kind } from '../../src/catalog';
import { suggestion } from '../../src/util/nearest';
import { counted, shortened } from '../../src/util/words';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface ExplainOptions {
  readonly output: 'text' | 'json';
  readonly recursive: boolean;
  readonly apiVersion?: string;
}

/** Explains services, kinds and properties. Returns the exit status. */
export function explain(path: string | undefined, options: ExplainOptions, terminal: Terminal): number {
  const catalog = Catalog.default();
  const subject = subjectOf(path ?? '', catalog);
  const asJson = (value: unknown) => JSON.stringify(value, undefined, 2);
  if (subject.is === 'spec') {
    const models = new Models(catalog, subject.kind, versionOf(subject, options));
    const explained = describe(locate(subject, models), models, options.recursive);
    terminal.print(options.output === 'json' ? asJson(explained) : explanationText(explained, terminal.style));
    return 0;
  }
  const rows = subject.is === 'services' ? servicesOf(catalog) : kindsOf(catalog.kindsOf(subject.service));
  terminal.print(options.output === 'json' ? asJson(rows) : listText(rows, subject, terminal));
  return 0;
}

/** @throws UsageError when the kind never had the version */
function versionOf({ kind, version }: Subject & { readonly is: 'spec' }, { apiVersion }: ExplainOptions): string {
  const wanted = (apiVersion ?? version ?? kind.latest.name).replace(`${kind.group}/`, '');
  if (kind.version(wanted)) return wanted;
  const names = kind.versionNames;
  throw new UsageError(`explain: ${kind.kind} has no version ${wanted}.${suggestion(wanted, names)} It has ${names.join(', ')}`);
}

interface Listed {
  readonly name: string;
  readonly about: string;
}

function servicesOf(catalog: Catalog): Listed[] {
  return catalog.services.map((service) => {
    const kinds = catalog.kindsOf(service);
    return { name: submoduleOf(service), about: `${counted(kinds.length, 'kind')}: ${kinds.map(({ kind }) => kind).join(', ')}` };
  });
}

function kindsOf(kinds: readonly Kind[]): Listed[] {
  return kinds.map(({ kind, latest }) => ({ name: kind, about: `${latest.apiVersion}  ${latest.facts.arm?.type ?? 'not a resource of Azure Resource Manager'}` }));
}

function listText(rows: readonly Listed[], subject: Subject, { style }: Terminal): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, about }) => `${style.bold(name)}${' '.repeat(width - name.length)}  ${shortened(about, 100)}`);
  const next = subject.is === 'service' ? `cdk8s-aso explain ${submoduleOf(subject.service)}.KIND explains a kind.` : 'cdk8s-aso explain SERVICE lists the kinds of a service.';
  return [...lines, '', style.dim(next)].join('\n');
}
