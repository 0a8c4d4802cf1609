import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The findings of axe-core against WCAG 2.2, level AA. */
export async function violations(page: Page): Promise<string[]> {
  // Not an import: its types would be loaded for nothing.
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations: found } = await page.evaluate<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
}
