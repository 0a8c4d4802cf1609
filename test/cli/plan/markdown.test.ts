import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg, namespace: shop}\nspec: {location: uksouth}\n';
const account = (name: string) => `---
apiVersion: storage.azure.com/v20250601
kind: StorageAccount
metadata: {name: ${name}, namespace: shop}
spec: {owner: {name: rg}, azureName: ${name}, location: uksouth, kind: StorageV2, sku: {name: Standard_LRS}}
`;

const run = async (text: string, ...args: string[]) => {
  const terminal = captured();
  const status = await runCommandLine([...args, filesIn({ 'a.yaml': text })], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n') };
};

test('a plan without --live as Markdown: numbers, time, requests with folded bodies', async () => {
  const { status, out } = await run(group + account('shopdata'), 'plan', '--output', 'markdown');
  expect(status).toBe(0);
  expect(out).toContain('**Plan: 2 resources to create or update.**\n\nReady after about 31 s: ');
  expect(out).toContain('### Requests (2)\n\n- `ResourceGroup shop/rg` (');
  expect(out).toMatch(/`PUT \/subscriptions\/0{8}-\S+\?api-version=2025-06-01`\n\n {2}<details><summary>Body<\/summary>\n\n {2}```json\n/);
  expect(out).toContain('No subscription was given');
});

test('nothing in the files becomes Markdown, HTML or a mention', async () => {
  const hostile = group.replace('uksouth', '"```\\n</details><b>@team"');
  const { out } = await run(hostile, 'plan', '--output', 'markdown');
  expect(out).toContain('````json');
  const broken = await run('apiVersion: storage.azure.com/v1\nkind: "@team<b>"\nmetadata: {name: x}\n', 'plan', '--output', 'markdown');
  expect(broken.out).not.toMatch(/@team|[^`]<b>/);
});

test('plan, graph and capacity say the same time where Azure takes no more requests', async () => {
  const many = group + Array.from({ length: 600 }, (_, index) => account(`shopdata${index}`)).join('');
  const [plan, graph, capacity] = await Promise.all([run(many, 'plan'), run(many, 'graph'), run(many, 'capacity')]);
  const seconds = /all Ready after (about [^,;]+), as Azure takes no more (reads|writes)/.exec(capacity.out)!;
  const text = `Ready after ${seconds[1]}, as Azure takes no more ${seconds[2]}; without limits 31 s: ResourceGroup rg → StorageAccount`;
  expect([plan.out.includes(text), graph.out.includes(text)]).toEqual([true, true]);
});
