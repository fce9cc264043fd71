import type { Browser, BrowserContext, Page } from 'playwright-core';

/** What a network answers with a refusal a browser notes as an error, whatever the page makes of it. */
const REFUSED = /^Failed to load resource: the server responded with a status of 40[01345]/;

/** The state of the connection, once all lists are there. */
const LISTED = '#status:not([aria-busy="true"])';

/** A user who has the explorer open. */
export class ExplorerVisit {
  /** What the console says that is an error. */
  readonly errors: string[] = [];
  /** Where the browser went beyond this machine. */
  readonly foreign: string[] = [];

  /** The methods of what the page has sent to the endpoint. */
  readonly sent: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSED.test(message.text())) this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('request', (request) => {
      const { method } = (request.postDataJSON() ?? {}) as { readonly method?: string };
      if (method !== undefined) this.sent.push(method);
      if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url())) this.foreign.push(request.url());
    });
  }

  static async open(
    browser: Browser,
    url: string,
    { width = 1200 }: { readonly width?: number } = {},
  ): Promise<ExplorerVisit> {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const visit = new ExplorerVisit(await context.newPage(), context);
    await visit.page.goto(url);
    return visit;
  }

  /** Waits until the page is connected, and has listed everything. */
  async connected(): Promise<void> {
    await this.page.locator(LISTED, { hasText: 'Connected' }).waitFor();
  }

  /** Connects again, in a revision. */
  async speak(revision: string): Promise<void> {
    await this.connected();
    await this.page.getByLabel('Revision').selectOption(revision);
    await this.press('Connect again');
    await this.page.locator(LISTED, { hasText: `Connected, ${revision}` }).waitFor();
  }

  /** Opens an area, and an entry of it. */
  async choose(area: string, entry?: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: area }).click();
    if (entry !== undefined) await this.page.getByRole('list').getByRole('button', { name: entry }).click();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Waits for a text. */
  async expectText(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** @throws {Error} if the console has said something of an error, or somebody else was asked for something */
  assertPeace(): void {
    const faults = [...this.errors, ...this.foreign];
    if (faults.length > 0) throw new Error(`The console or the network is not quiet: ${faults.join('; ')}`);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
