import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

// GitHub shows no form that breaks one of these rules, and reports no error:
// https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema

interface Element {
  readonly type: string;
  readonly id?: string;
  readonly attributes?: { readonly label?: string; readonly value?: string; readonly options?: (string | { readonly label: string })[] };
}
interface Form { readonly name: string; readonly description: string; readonly labels?: string[]; readonly body: Element[] }

const root = join(__dirname, '..', '..');
const directory = join(root, '.github', 'ISSUE_TEMPLATE');
const read = (file: string) => parse(readFileSync(join(directory, file), 'utf8')) as unknown;
const forms = readdirSync(directory).filter((file) => file !== 'config.yml').map((file) => ({ file, form: read(file) as Form }));

test.each(forms)('$file is a form', ({ form: { name, description, body } }) => {
  expect([typeof name, typeof description]).toEqual(['string', 'string']);
  const inputs = body.filter(({ type }) => type !== 'markdown');
  expect(inputs.length).toBeGreaterThan(0);
  const ids = inputs.map(({ id }) => id ?? '');
  expect(ids.filter((id) => !/^[\w-]+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const labels = inputs.map(({ attributes }) => attributes?.label ?? '');
  expect(labels).not.toContain('');
  expect(new Set(labels).size).toBe(labels.length);
  for (const { type, attributes } of body) {
    expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    if (type === 'markdown') expect(attributes?.value).toBeTruthy();
    if (type === 'dropdown' || type === 'checkboxes') expect(attributes?.options?.length).toBeGreaterThan(0);
  }
});

test('names of forms differ', () => expect(new Set(forms.map(({ form }) => form.name)).size).toBe(forms.length));

test('vulnerabilities have a way of their own', () => {
  interface Config { readonly blank_issues_enabled: boolean; readonly contact_links: Record<string, string>[] }
  const { blank_issues_enabled: blank, contact_links: links } = read('config.yml') as Config;
  expect(blank).toBe(false);
  for (const link of links) expect(Object.keys(link).sort()).toEqual(['about', 'name', 'url']);
  const form = links.map(({ url }) => url).find((url) => url!.includes('/security/advisories/'));
  expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).toContain(form);
});

test('a pull request has a form', () => expect(existsSync(join(root, '.github', 'pull_request_template.md'))).toBe(true));
