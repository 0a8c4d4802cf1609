/**
 * Writes API.md, the overview of the library, and a page for each of its hand-written modules (`docs/modules/`). The pages of the services
 * (`docs/api/`) are written by `generate`, which has to run first.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiModel } from './reference/modules';
import { overview, type Service } from './reference/overview';
import { ModulePage } from './reference/page';
import { documentation } from '../src/documentation';
import { OWN_GROUPS } from '../src/util/api-groups';

const root = join(__dirname, '..');
const services = servicesIn(join(root, 'docs', 'api'));
const model = new ApiModel(root);
const modules = model.modules();
const folder = join(root, 'docs', 'modules');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const module of modules) writeFileSync(join(folder, `${module.name}.md`), new ModulePage(model, module, linkTo).text());
writeFileSync(
  join(folder, 'README.md'),
  overview(modules, services, (of, name, type) => `${of === 'modules' ? '' : '../api/'}${name}.md${heading(type)}`),
);
writeFileSync(
  join(root, 'API.md'),
  overview(modules, services, (of, name, type) => documentation(`docs/${of}/${name}.md${heading(type)}`)),
);

/** From a page of a module to the heading of a type. References to owners and outputs have none: they are a member of their class. */
function linkTo(fqn: string): string | undefined {
  const owner = model.ownerOf(fqn);
  const name = fqn.split('.').at(-1)!;
  if (owner === undefined) return undefined;
  if (owner.handWritten) return `${owner.submodule}.md${heading(name)}`;
  const page = `../api/${owner.submodule}.md`;
  return headingsOf(owner.submodule).has(name) ? `${page}${heading(name)}` : page;
}

function heading(type: string | undefined): string {
  return type === undefined ? '' : `#${type.toLowerCase()}`;
}

function headingsOf(service: string): Set<string> {
  return new Set(
    [...readFileSync(join(root, 'docs', 'api', `${service}.md`), 'utf8').matchAll(/^#{2,3} (\w+)$/gm)].map(([, name]) => name!),
  );
}

/** The services that have a page, with the classes of the page's first table. */
function servicesIn(directory: string): Service[] {
  const pages = readdirSync(directory).filter((file) => file.endsWith('.md') && file !== 'README.md').sort();
  return pages.map((file) => {
    const text = readFileSync(join(directory, file), 'utf8');
    return {
      name: file.slice(0, -'.md'.length),
      isOwn: text.includes(`${OWN_GROUPS}\`.`),
      classes: [...text.matchAll(/^\| \[(\w+)\]\(#\w+\) \|/gm)].map(([, name]) => name!),
    };
  });
}
