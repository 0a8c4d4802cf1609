import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors';
import { beginWithSample, HOME } from './home';
import { REPOSITORY, linkToRepository } from './links';
import { sidebar } from './navigation';
import { SEARCH } from './search';
import { correctTheme } from './templates';
import { breakLongNames, keepBraces, labelCells, nameLanguages } from './text';
import { DOCUMENTATION_SITE } from '../src/documentation';

/** A cube, drawn here so that no file has to be fetched. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3451b2" d="M8 1 14 4.5v7L8 15 2 11.5v-7zM8 3 4.5 5 8 7l3.5-2z"/></svg>')}`;

const root = join(__dirname, '..');
const docs = join(root, 'docs');

/** The site of the documents: `docs/` as it is, with the pages that the build writes into it. */
export default defineConfig({
  title: 'cdk8s-aso',
  description: 'Azure as typed CDK8s constructs, and the controller that reconciles them',
  base: new URL(DOCUMENTATION_SITE).pathname,
  srcDir: docs,
  outDir: join(__dirname, 'dist'),
  cacheDir: join(root, '.cache', 'vitepress'),
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  cleanUrls: true,
  ignoreDeadLinks: false,
  // Pages of up to a megabyte: few at a time, to save memory.
  buildConcurrency: 4,
  metaChunk: true,
  sitemap: { hostname: DOCUMENTATION_SITE },
  head: [['link', { rel: 'icon', href: ICON }]],
  vue: { template: { compilerOptions: { nodeTransforms: [correctTheme] } } },
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => md
      .use(keepBraces)
      .use(breakLongNames)
      .use(nameLanguages)
      .use(labelCells)
      .use(linkToRepository, docs)
      .use(beginWithSample, readFileSync(join(root, 'README.md'), 'utf8')),
  },
  themeConfig: {
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'API', link: '/modules/' },
      { text: 'Specification', link: '/spec/' },
    ],
    sidebar: sidebar(docs),
    outline: { level: [2, 3], label: 'On this page' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    search: { provider: 'local', options: SEARCH },
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
  },
  transformPageData: (page) => {
    if (page.relativePath === 'index.md') page.frontmatter = { ...page.frontmatter, ...HOME };
    // A service has hundreds of types: its outline has the classes alone.
    if (page.relativePath.startsWith('api/')) page.frontmatter.outline = 2;
    if (/^(api|modules)\//.test(page.relativePath)) page.frontmatter.editLink = false;
  },
});
