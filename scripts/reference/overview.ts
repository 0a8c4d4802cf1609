import type { Module } from './modules';
import { SECTIONS } from './page';
import { cell, prose, table } from './text';

/** A generated service: its name and the classes of its kinds. */
export interface Service {
  readonly name: string;
  /** Its kinds are of this package, not of Azure Service Operator. */
  readonly isOwn: boolean;
  readonly classes: readonly string[];
}

/** Address of a module's or a service's page, with the heading of a type where one is given. */
export type PageOf = (folder: 'modules' | 'api', name: string, type?: string) => string;

/** The overview: every type of the hand-written modules in a sentence, and every service with its classes. */
export function overview(modules: readonly Module[], services: readonly Service[], pageOf: PageOf): string {
  const kinds = services.reduce((sum, { isOwn, classes }) => sum + (isOwn ? 0 : classes.length), 0);
  return [
    '# API\n',
    'The modules below are written by hand; each type has a link to its properties and methods. After them come the services, with one class',
    `for each of the ${kinds} kinds of Azure Service Operator, and for those of this package: their pages have an example, the properties and`,
    'the outputs of every class.\n',
    table(
      ['Module', 'Import', ''],
      modules.map(({ name, importName, ...rest }) => [
        `[${importName}](#${anchorOf(importName)})`,
        `\`import { … } from '${importName}';\``,
        `[${count(rest)} types](${pageOf('modules', name)})`,
      ]),
    ),
    ...modules.flatMap((module) => [`## ${module.importName}\n`, ...SECTIONS.flatMap((section) => sectionTable(module, section, pageOf))]),
    '## Services\n',
    table(['Service', 'Classes'], services.map(({ name, classes }) => [
      `[${name}](${pageOf('api', name)})`, classes.map((type) => `[${type}](${pageOf('api', name, type)})`).join(', '),
    ])),
  ].join('\n');
}

function sectionTable(module: Module, { title, member }: (typeof SECTIONS)[number], pageOf: PageOf): string[] {
  const rows = module[member].map(({ name, docs }) => [
    `[${name}](${pageOf('modules', module.name, name)})`,
    cell(prose(docs?.summary ?? '')),
  ]);
  return rows.length === 0 ? [] : [table([title, ''], rows)];
}

function count(module: Omit<Module, 'name' | 'importName'>): number {
  return SECTIONS.reduce((sum, { member }) => sum + module[member].length, 0);
}

/** The anchor that GitHub and the site give the heading of a module. */
function anchorOf(importName: string): string {
  return importName.replace('/', '');
}
