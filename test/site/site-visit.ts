import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How somebody looks at the site. */
export interface Look {
  /** Pixels. @default 1280 */
  readonly width?: number;
  /** What the machine prefers. @default 'light' */
  readonly colorScheme?: 'light' | 'dark';
}

/** A reader who has a page of the site open. */
export class SiteVisit {
  /** What the console says that is an error or a warning, and what was asked of others than the site. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    url: string,
  ) {
    const { origin } = new URL(url);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        this.faults.push(`${request.url()} was asked`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.faults.push(`${response.url()} is ${response.status()}`);
    });
  }

  static async open(
    browser: Browser,
    url: string,
    { width = 1280, colorScheme = 'light' }: Look = {},
  ): Promise<SiteVisit> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const visit = new SiteVisit(await context.newPage(), context, url);
    await visit.goto(url);
    return visit;
  }

  /** Goes to a page, and waits until it is complete and works. */
  async goto(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'networkidle' });
  }

  /** Pixels by which the page is wider than the screen. */
  countSidewaysPixels(): Promise<number> {
    return this.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
