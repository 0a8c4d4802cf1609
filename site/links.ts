import { dirname, join, relative, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

export const REPOSITORY = 'https://github.com/cdk8s-aso/cdk8s-aso';

/**
 * Links as the site needs them: those that leave `docs/` lead to the repository (`../examples/platform`), API.md is the overview of the
 * modules, and a README.md is the page of its directory.
 */
export function linkToRepository(md: MarkdownRenderer, docs: string): void {
  const open = md.renderer.rules.link_open!;
  md.renderer.rules.link_open = (tokens, index, options, env: { readonly path?: string }, self) => {
    const token = tokens[index]!;
    const href = token.attrGet('href') ?? '';
    if (env.path !== undefined && !/^([a-z]+:|#|\/)/.test(href)) token.attrSet('href', onSite(href, env.path, docs));
    return open(tokens, index, options, env, self);
  };
}

function onSite(href: string, page: string, docs: string): string {
  const path = relative(docs, join(dirname(page), href)).split(sep).join('/');
  if (path === '../API.md') return '/modules/';
  if (path.startsWith('../')) return `${REPOSITORY}/blob/main/${path.slice('../'.length)}`;
  return /(^|\/)README\.md(#.*)?$/.test(path) ? `/${path.replace('README.md', '')}` : href;
}
