/** Address of the site that is built from `docs/` and published with every change of the main branch. It ends in a slash. */
export const DOCUMENTATION_SITE = 'https://cdk8s-aso.github.io/cdk8s-aso/';

/**
 * The page of a document on the site.
 * @param document its path in the repository, with the heading where one is meant: `docs/checks.md#suppressing-a-rule`
 */
export function documentation(document: string): string {
  const [path, heading] = document.split('#') as [string, string?];
  const page = path.replace(/^docs\//, '').replace(/(README)?\.md$/, '');
  return `${DOCUMENTATION_SITE}${page}${heading === undefined ? '' : `#${heading}`}`;
}
