import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

/** Sections of the index that are open at first. */
const OPEN_SECTIONS = 2;

/** The sidebar: the sections of the index in their order, then what has an index of its own, then the pages that the build writes. */
export function sidebar(docs: string): Item[] {
  const overview = (folder: string): Item => ({ text: 'Overview', link: `/${folder}/` });
  const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);
  return [
    ...sections.map((section, index) => ({
      text: section.slice(0, section.indexOf('\n')),
      collapsed: index >= OPEN_SECTIONS,
      items: rowsOf(docs, '', section),
    })),
    { text: 'API of the modules', collapsed: true, items: [overview('modules'), ...pages(docs, 'modules')] },
    { text: 'API of the services', collapsed: true, items: [overview('api'), ...pages(docs, 'api')] },
    {
      text: 'Specification',
      collapsed: true,
      items: [overview('spec'), ...rowsOf(docs, 'spec/', readFileSync(join(docs, 'spec', 'README.md'), 'utf8'))],
    },
    { text: 'Decisions', collapsed: true, items: [overview('adr'), ...pages(docs, 'adr')] },
  ];
}

/** Each row of an index begins with a link to a document. Its text names the page; the name of a file gives way to the title. */
function rowsOf(docs: string, folder: string, text: string): Item[] {
  return [...text.matchAll(/^\| \[([^\]]+)\]\(([\w-]+)\.md\)/gm)].map(([, name, file]) => ({
    text: name!.endsWith('.md') ? titleOf(docs, `${folder}${file}.md`) : name!,
    link: `/${folder}${file}`,
  }));
}

function pages(docs: string, folder: string): Item[] {
  const files = readdirSync(join(docs, folder)).filter((file) => file.endsWith('.md') && file !== 'README.md').sort();
  return files.map((file) => ({ text: titleOf(docs, `${folder}/${file}`), link: `/${folder}/${file.slice(0, -'.md'.length)}` }));
}

function titleOf(docs: string, path: string): string {
  return (/^# (.+)$/m.exec(readFileSync(join(docs, path), 'utf8'))?.[1] ?? path).replace(/`/g, '');
}
