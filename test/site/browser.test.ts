import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { violations } from './axe';
import { notBuilt, serve } from './built-site';
import { findChromium } from './chromium';

const executablePath = findChromium();
const missing = notBuilt ?? (executablePath === undefined ? 'no Chromium on the PATH: apt-get install chromium' : undefined);
const PHONE = { width: 390, height: 844 };
/** Pages with long names, wide tables, code and pictures. */
const WIDE_PAGES = ['model', 'graph', 'credentials', 'controller', 'mistakes', 'api/storage', 'modules/platform', 'adr/'];

const AXE_PAGES = ['', 'getting-started', 'api/', 'api/search'];

/** GitHub's runners have a Chromium: where it is missing, the site would go out unseen. */
if (process.env.CI !== undefined && notBuilt === undefined) {
  test('a continuous integration server has a Chromium', () => expect(executablePath).toBeDefined());
}

(missing === undefined ? describe : describe.skip)(`the site in a browser${missing === undefined ? '' : ` (${missing})`}`, inBrowser);

function inBrowser(): void {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let site: Awaited<ReturnType<typeof serve>>;
  /** Messages of a page on its console, its errors, and its requests to other servers. */
  let complaints: string[];

  beforeAll(async () => {
    site = await serve();
    // A container has no user namespaces for the sandbox; the pages are our own.
    browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext();
    page = await context.newPage();
    page.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`${message.type()}: ${message.text()}`),
    );
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on(
      'request',
      (request) =>
        !/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.url) && complaints.push(`asked for ${request.url()}`),
    );
    page.on('response', (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`));
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  const open = (path: string) => page.goto(site.url + path, { waitUntil: 'networkidle' });

  const fitsPhone = async () => {
    expect(await page.evaluate(() => (globalThis as unknown as Browsing).document.documentElement.scrollWidth)).toBe(PHONE.width);
    // Output is drawn with characters, and stays as wide as it is.
    const cut = await page.locator('.vp-doc table, .vp-doc div:not(.language-txt) > pre').evaluateAll((boxes) => (boxes as unknown as Box[])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ innerText }) => innerText.slice(0, 100)));
    expect(cut).toEqual([]);
  };

  test('the home page has code, its output and a picture, and leads to the first guide', async () => {
    await open('');
    expect(await page.locator('.language-ts').first().innerText()).toContain('new storage.StorageAccount(');
    expect(await page.locator('.language-txt').first().innerText()).toMatch(/StorageAccount .* Ready/);
    expect(await page.locator('.vp-doc img').first().evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(500);
    expect(await page.locator('.VPHero').innerText()).toMatch(/Azure as typed CDK8s constructs/);
    await page.locator('.VPHero a', { hasText: 'Get started' }).click();
    await page.waitForURL(/getting-started$/);
    await page.locator('h1', { hasText: /^Getting started/ }).waitFor();
  });

  test('a guide has highlighted code, an outline and the next page', async () => {
    await open('getting-started');
    expect(await page.locator('.language-ts .shiki span[style]').count()).toBeGreaterThan(20);
    expect(await page.locator('.VPDocAsideOutline a').count()).toBeGreaterThan(3);
    await page.locator('.pager-link.next').click();
    await page.waitForURL(/\/model$/);
    // The address changes before the page does.
    await page.locator('.VPSidebar .is-active', { hasText: /^The model$/ }).last().waitFor();
  });

  test('the page of a service has its classes, and a link to a type leads to its table', async () => {
    await open('api/keyvault');
    expect(await page.locator('h2#vault').count()).toBe(1);
    await page.locator('a[href="#vaultproperties"]').first().click();
    await page.waitForURL(/#vaultproperties$/);
    await page.waitForFunction(() => {
      const { document } = globalThis as unknown as Browsing;
      return Math.abs(document.querySelector('#vaultproperties').getBoundingClientRect().top) < 300;
    });
  });

  test('the search finds a property and leads to its class', async () => {
    await open('');
    await page.locator('#local-search button').first().click();
    await page.locator('#localsearch-input').fill('isHnsEnabled');
    await page.locator('#localsearch-list a').first().click();
    await page.waitForURL(/api\/storage(\.html)?#storageaccount$/);
    // The home page has no document.
    await page.locator('.VPDoc h1', { hasText: /^storage/ }).waitFor();
  });

  test.each(AXE_PAGES)('/%s: nothing that axe finds in either theme, and no more than the width of a phone', async (path) => {
    await open(path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
      expect([colorScheme, ...await violations(page)]).toEqual([colorScheme]);
    }
    await page.setViewportSize(PHONE);
    await fitsPhone();
  });

  test('dark mode is remembered', async () => {
    await open('model');
    await page.locator('.VPNavBarAppearance button').click();
    await open('credentials');
    expect(await page.locator('html.dark').count()).toBe(1);
  });

  test.each(WIDE_PAGES)('/%s fits the width of a phone', async (path) => {
    await page.setViewportSize(PHONE);
    await open(path);
    await fitsPhone();
  });
}

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly innerText: string;
}

/** The DOM is not among the types of this project, which has no other code for browsers. */
interface Browsing {
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number };
    querySelector(selector: string): { getBoundingClientRect(): { readonly top: number } };
  };
}
