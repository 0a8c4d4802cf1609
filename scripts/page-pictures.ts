// Writes the pictures of the page in docs/ui.md: the page in Chromium with the objects of test/page/fake-source.ts.
//   npx tsx scripts/page-pictures.ts [DIRECTORY]        docs by default; needs Chromium on the PATH
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { withPalette } from './page-pictures/palette-png';
import { FakeSource, shop } from '../test/page/fake-source';
import { builtAssets, servePage } from '../test/page/served-page';
import { findChromium } from '../test/site/chromium';

const BLOBS = 'node=storage.azure.com/StorageAccountsBlobService/shop/blobs';
const DATA = 'node=storage.azure.com/StorageAccount/shop/shopdata';
const PICTURES = [
  { file: 'ui-light.png', colorScheme: 'light', fragment: '' },
  { file: 'ui-object.png', colorScheme: 'light', fragment: BLOBS },
  { file: 'ui-dark.png', colorScheme: 'dark', fragment: `${DATA}&tab=relations` },
] as const;
const SIZE = { width: 1200, height: 720 };
const TOKEN = 'pictures';

async function write(directory: string): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium on the PATH: apt-get install chromium');
  const served = await servePage(new FakeSource(shop()), builtAssets(), TOKEN);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  for (const { file, colorScheme, fragment } of PICTURES) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme });
    await page.goto(`${served.url}#token=${TOKEN}&${fragment}`);
    await page.locator(fragment === '' ? '.causes' : '#tab-content h3').first().waitFor();
    writeFileSync(join(directory, file), withPalette(await page.screenshot()));
    await page.close();
  }
  await browser.close();
  await served.close();
}

void write(process.argv[2] ?? join(import.meta.dirname, '..', 'docs'));
