import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { notBuilt, serve } from './built-site';
import { findChromium } from './chromium';

const executablePath = findChromium();
const missing = notBuilt ?? (executablePath === undefined ? 'no Chromium on the PATH: apt-get install chromium' : undefined);
const PHONE = { width: 390, height: 844 };
/** Pages with long names, wide tables, code and pictures. */
const WIDE_PAGES = [
  '',
  'getting-started',
  'model',
  'graph',
  'credentials',
  'controller',
  'mistakes',
  'hostile',
  'api/storage',
  'modules/',
  'modules/platform',
  'spec/reconcile',
  'adr/',
];

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

  test('the home page leads to the first guide', async () => {
    await open('');
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

  test.each([
    ['StorageAccountsBlobService', /api\/storage(\.html)?#/],
    ['strict workload identity', /workload-identity|credentials/],
  ])('the search finds %s and leads to it', async (query, address) => {
    await open('');
    await page.locator('#local-search button').first().click();
    await page.locator('#localsearch-input').fill(query);
    const results = page.locator('#localsearch-list a');
    await results.first().waitFor();
    const found = await results.evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    expect(found.some((link) => address.test(link))).toBe(true);
    await results.nth(found.findIndex((link) => address.test(link))).click();
    await page.waitForURL(address);
    // The home page has no document.
    await page.locator('.VPDoc h1').first().waitFor();
    expect(await page.locator('h1', { hasText: '404' }).count()).toBe(0);
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
    expect(await page.evaluate(() => (globalThis as unknown as Browsing).document.documentElement.scrollWidth)).toBe(PHONE.width);
  });
}

/** The DOM is not among the types of this project, which has no other code for browsers. */
interface Browsing {
  readonly document: {
    readonly documentElement: { readonly scrollWidth: number };
    querySelector(selector: string): { getBoundingClientRect(): { readonly top: number } };
  };
}
