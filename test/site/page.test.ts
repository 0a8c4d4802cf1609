import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { violations } from './axe';
import { findChromium } from './chromium';
import type { Asset } from '../../page/assets';
import { error, READY, warning } from '../engine/inspect/snapshots';
import { many, object, FakeSource, shop } from '../page/fake-source';
import { builtAssets, servePage, type ServedPage } from '../page/served-page';

const executablePath = findChromium();
const TOKEN = 'the-token-of-the-test';
const DATA = 'storage.azure.com/StorageAccount/shop/shopdata';

(executablePath === undefined ? describe.skip : describe)('the page of cdk8s-aso ui in a browser', inBrowser);

function inBrowser(): void {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let assets: ReadonlyMap<string, Asset>;
  let source: FakeSource;
  let served: ServedPage;
  let complaints: string[];
  /** Whether messages about the connection are expected. */
  let isInterrupted: boolean;

  beforeAll(async () => {
    assets = builtAssets();
    browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    complaints = [];
    isInterrupted = false;
    source = new FakeSource(shop());
    served = await servePage(source, assets, TOKEN);
    context = await browser.newContext({ viewport: { width: 1200, height: 760 } });
    page = await context.newPage();
    page.on('console', (message) => !isInterrupted && ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (problem) => complaints.push(problem.message));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => complaints.push(`dialog ${dialog.message()}`)));
    page.on('request', (request) => !request.url().startsWith(served.url) && complaints.push(`asked for ${request.url()}`));
  });
  afterEach(async () => {
    await context.close();
    await served.close();
    expect(complaints).toEqual([]);
  });

  const open = async (fragment = '') => {
    await page.goto(`${served.url}#token=${TOKEN}${fragment}`);
    await page.locator('#main').waitFor();
  };
  const row = (name: string) => page.locator('.row', { hasText: name });
  const names = () => page.locator('.row .name').allInnerTexts();
  const title = () => page.locator('#pane-title').innerText();
  const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');

  test('root causes come first, and lead to the object', async () => {
    await open();
    expect(await page.locator('.causes > li').first().innerText()).toContain('StorageAccount shop/shopdata');
    await page.getByRole('button', { name: 'StorageAccount shop/shopdata', exact: true }).click();
    expect(await title()).toBe('StorageAccount shopdata');
    expect(await page.locator('#tab-content').innerText()).toContain('az role assignment create');
    expect(page.url()).toContain('#node=');
    await page.goBack();
    expect(await title()).toBe('3 root causes');
  });

  test('the address has the choice, and no longer the token; a reload shows the same', async () => {
    await open('&q=blobs');
    await row('blobs').last().click();
    await page.getByRole('tab', { name: 'YAML' }).click();
    expect(page.url()).toMatch(/#q=blobs&node=\S+blobs&tab=yaml$/);
    expect(page.url()).not.toContain(TOKEN);
    await page.reload();
    await page.locator('.code').waitFor();
    expect(await page.locator('#search').inputValue()).toBe('blobs');
    expect(await page.locator('.row[aria-selected=true]').innerText()).toContain('blobs');
    expect(await page.locator('.code').innerText()).toContain('kind: StorageAccountsBlobService');
  });

  test('a search keeps the owners of what it finds', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('backend');
    await page.locator('#objects-title', { hasText: '1 of 15 objects' }).waitFor();
    expect(await names()).toEqual(['shop', 'ResourceGroup shop', 'VirtualNetwork shop-network', 'VirtualNetworksSubnet backend']);
    await page.locator('#search').fill('no such thing');
    expect(await page.locator('#nothing').innerText()).toBe('No object matches.');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect((await names()).length).toBe(17);
  });

  test('filters by state, kind, namespace and cause', async () => {
    await open();
    await page.getByRole('button', { name: '1 Error' }).click();
    expect(await names()).toEqual(['shop', 'ResourceGroup shop', 'FlexibleServer orders-db']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('#kind').selectOption('VirtualNetworksSubnet');
    expect(await page.locator('#objects-title').innerText()).toBe('2 of 15 objects');
    await page.locator('#namespace').selectOption('billing');
    expect(await page.locator('#objects-title').innerText()).toBe('0 of 15 objects');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: /2 objects wait for it.*shopdata/ }).click();
    expect(await page.locator('#chosen-cause').innerText()).toContain('Only what waits for StorageAccount shop/shopdata.');
    await page.getByRole('button', { name: 'List' }).click();
    expect((await names()).sort()).toEqual(['RoleAssignment shop/orders-reads-data', 'StorageAccount shop/shopdata', 'StorageAccountsBlobService shop/blobs']);
  });

  test('the cause is followed from what waits to what stops it', async () => {
    await open();
    await row('orders-reads-data').click();
    await page.locator('.chain').getByRole('button', { name: 'StorageAccount shop/shopdata' }).click();
    expect(await title()).toBe('StorageAccount shopdata');
    await page.getByRole('tab', { name: 'Relations' }).click();
    await page.getByRole('link', { name: 'StorageAccountsBlobService blobs, Waiting' }).click();
    await page.locator('#pane-title', { hasText: 'blobs' }).waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('#tab-content', { hasText: 'Failed requests to Azure' }).waitFor();
  });

  test('requests have their id, and the plan is what would be sent', async () => {
    await open(`&node=${DATA}&tab=events`);
    await page.locator('td', { hasText: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' }).waitFor();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await page.locator('pre', { hasText: 'PUT /subscriptions/' }).waitFor();
  });

  test('the keyboard alone is enough', async () => {
    await open();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('tree');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    expect(await page.locator('.row.active').innerText()).toContain('invoices');
    expect(await page.locator('.row.active').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.type('shopdata');
    expect(await page.locator('#tree').getAttribute('aria-activedescendant')).toBe(await page.locator('.row.active').getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.locator('#pane-title', { hasText: 'shopdata' }).waitFor();
    await page.locator('#tab-why').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('[role=tab][aria-selected=true]').innerText()).toBe('Relations');
    await page.locator('.box.link').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#pane-title', { hasText: 'ResourceGroup shop' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await title()).toBe('3 root causes');
    expect(await focused()).toBe('tree');
  });

  test('changes come by themselves, and the choice stays', async () => {
    await open(`&node=${DATA}`);
    await page.locator('.state-line', { hasText: 'AuthorizationFailed' }).waitFor();
    source.set(object('StorageAccount', 'shopdata', READY), object('ResourceGroup', 'brand-new', error('Refused', 'no')));
    await page.locator('.state-line', { hasText: 'Ready' }).waitFor();
    await row('brand-new').waitFor();
    source.remove('StorageAccount', 'shopdata');
    await page.locator('#tab-content', { hasText: 'no such object' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.causes').innerText()).toContain('brand-new');
  });

  test('a restart of the server is said, and ends by itself', async () => {
    await open(`&q=shop&node=${DATA}`);
    await page.locator('#connection', { hasText: 'Live' }).waitFor();
    isInterrupted = true;
    const { port } = served;
    await served.close();
    await page.locator('#banner', { hasText: /Disconnected since .*; data of .*: .*connects again by itself/ }).waitFor();
    expect(await page.locator('#connection').innerText()).toContain('Disconnected');
    expect(await title()).toBe('StorageAccount shopdata');
    source = new FakeSource([...shop(), object('ResourceGroup', 'shop-of-the-new-run', READY)]);
    served = await servePage(source, assets, TOKEN, port);
    await row('shop-of-the-new-run').waitFor();
    await page.locator('#banner').waitFor({ state: 'hidden' });
    expect(await page.locator('#search').inputValue()).toBe('shop');
    expect(await page.locator('.row[aria-selected=true]').innerText()).toContain('shopdata');
  });

  test('a cluster that does not answer is said, with the time of the data', async () => {
    await open();
    source.say('the cluster does not answer: connect ECONNREFUSED');
    await page.locator('#banner', { hasText: /ECONNREFUSED. Shown is the data of / }).waitFor();
    source.say(undefined);
    await page.locator('#banner').waitFor({ state: 'hidden' });
  });

  test('without a token it is asked for, and a wrong one is refused', async () => {
    isInterrupted = true;
    await page.goto(served.url);
    await page.locator('#sign-in').waitFor();
    expect(await page.locator('#main').isVisible()).toBe(false);
    await page.locator('#token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.locator('#sign-in-why', { hasText: 'no such token' }).waitFor();
    await page.locator('#token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.locator('#main').waitFor();
    await page.locator('#connection', { hasText: 'Live' }).waitFor();
  });

  test('what tenants write is shown as text', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    source.set(object('StorageAccount', 'shopdata', warning(hostile, `${hostile} javascript:alert(3)`), { spec: { owner: { name: 'shop' }, tags: { x: hostile } } }));
    await open(`&node=${DATA}`);
    for (const tab of ['Relations', 'Events', 'YAML', 'Plan', 'Why']) await page.getByRole('tab', { name: tab }).click();
    await page.locator('.message', { hasText: hostile }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.locator('.causes').innerText()).toContain(hostile);
  });

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test.each([
      ['the causes', ''],
      ['an object', `&node=${DATA}`],
      ['its relations', `&node=${DATA}&tab=relations`],
      ['its events', `&node=${DATA}&tab=events`],
      ['its YAML', `&node=${DATA}&tab=yaml`],
    ])('%s: nothing that axe finds', async (_title, fragment) => {
      await page.emulateMedia({ colorScheme });
      await open(fragment);
      if (fragment !== '') await page.locator('#tab-content h3, #tab-content pre').first().waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  test('the switch wins over the system, and is remembered', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open();
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await back()).toBe('rgb(255, 255, 255)');
    await page.getByLabel('Colours').selectOption('dark');
    expect(await back()).toBe('rgb(20, 24, 30)');
    await page.reload();
    expect(await back()).toBe('rgb(20, 24, 30)');
    await page.getByLabel('Colours').selectOption('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await back()).toBe('rgb(255, 255, 255)');
  });

  test('a screen of 400 pixels has all of it, one after the other', async () => {
    await page.setViewportSize({ width: 400, height: 780 });
    await open();
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBe(400);
    await page.locator('.row', { hasText: 'shopdata' }).scrollIntoViewIfNeeded();
    await row('shopdata').click();
    expect(await page.locator('.objects').isVisible()).toBe(false);
    for (const tab of ['Relations', 'Events', 'YAML', 'Plan', 'Why']) {
      await page.getByRole('tab', { name: tab }).click();
      expect([tab, await width()]).toEqual([tab, 400]);
    }
    await page.getByRole('button', { name: /Close/ }).click();
    expect(await page.locator('.objects').isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test('many causes of one reason are one, with a list of the others that stays open', async () => {
    source.set(...many(100));
    await open();
    const others = page.locator('.causes details');
    expect(await others.locator('summary').innerText()).toBe('4 more with AuthorizationFailed; 4 objects wait for them');
    await others.locator('summary').click();
    source.set(object('StorageAccount', 'brand-new', warning('Conflict')));
    await page.locator('.causes > li', { hasText: 'brand-new' }).waitFor();
    await others.getByRole('button', { name: 'StorageAccount team-0/data-0-3' }).click();
    expect(await title()).toBe('StorageAccount data-0-3');
  });

  test('a long message leaves the tabs in view', async () => {
    source.set(object('StorageAccount', 'shopdata', warning('AuthorizationFailed', 'word '.repeat(4_000))));
    await open(`&node=${encodeURIComponent(DATA)}`);
    await page.locator('.message').waitFor();
    expect((await page.getByRole('tab', { name: 'Events' }).boundingBox())?.y).toBeLessThan(500);
  });

  test('5,000 objects: only the rows in view are in the document, and the last one is a key away', async () => {
    await served.close();
    source = new FakeSource(many(5_000));
    served = await servePage(source, assets, TOKEN);
    await open();
    expect(await page.locator('#objects-title').innerText()).toBe('5000 objects');
    await page.getByRole('button', { name: 'List' }).click();
    expect(await page.locator('.row').count()).toBeLessThan(80);
    await page.locator('#tree').focus();
    await page.keyboard.press('End');
    expect(await page.locator('.row.active').getAttribute('aria-posinset')).toBe('5000');
    expect(await page.locator('.row.active').isVisible()).toBe(true);
    await page.locator('#search').fill('blobs-410-3');
    await page.locator('#objects-title', { hasText: '1 of 5000 objects' }).waitFor();
  });
}
