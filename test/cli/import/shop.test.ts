import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHOP } from './areas/put';
import { importFrom, shopAzure } from './simulated-azure';

const DOCUMENT = join(__dirname, '..', '..', '..', 'docs', 'import.md');
const CODE = /(<!-- imported -->\n+```ts\n)([^]*?)(```\n)/;

test('a group as people have it becomes the code of docs/import.md', async () => {
  const azure = await shopAzure();
  try {
    const { status, printed, errors } = await importFrom(azure, [SHOP], { namespace: 'shop', verify: true });
    expect({ status, errors }).toEqual({ status: 0, errors: [] });
    const document = readFileSync(DOCUMENT, 'utf8');
    expect(document).toMatch(CODE);
    if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, document.replace(CODE, (_, open: string, __, close: string) => `${open}${printed}\n${close}`));
    else expect(CODE.exec(document)![2]).toBe(`${printed}\n`);
    expect(printed).not.toContain('never-shown-4711');
  } finally {
    await azure.close();
  }
});

test('--no-defaults leaves out what Azure takes anyway', async () => {
  const azure = await shopAzure();
  try {
    const { printed } = await importFrom(azure, [SHOP], { format: 'yaml', defaults: false, verify: true });
    expect(printed).not.toContain('supportsHttpsTrafficOnly');
    expect(printed).toContain('minimumTlsVersion');
  } finally {
    await azure.close();
  }
});
