import type { MarkdownEnv } from 'vitepress';

/** VitePress brings its own copy of the types of markdown-it, so only what is used of them is named. */
interface Renderer {
  render(source: string, env: MarkdownEnv): string;
}

/**
 * Tables and code of the pages of services: with them the index would be larger than the pages, and each name would be found a hundred
 * times.
 */
const OF_SERVICES = /^\|.*$|^```[\s\S]*?^```$/gm;

/** The text of a page that the search finds: of a service's page, the names and descriptions of its classes and types. */
export function indexed(source: string, env: MarkdownEnv, md: Renderer): string {
  return md.render(env.relativePath.startsWith('api/') ? source.replace(OF_SERVICES, '') : source, env);
}
