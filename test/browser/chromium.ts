import { chromium, type Browser, type Page } from 'playwright-core';

/** A browser that asks nobody on the network for anything of its own. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the system's Chromium, without a window. */
export function launchChromium(): Promise<Browser> {
  // `require-chromium.js` has looked for it before the first test.
  const { CHROMIUM = '' } = process.env;
  return chromium.launch({ executablePath: CHROMIUM, args: SWITCHES });
}

/** What a user sees on the consent page. */
export interface ConsentPage {
  readonly heading: string;
  readonly scopes: readonly string[];
  /** The scopes that were allowed before. */
  readonly held: readonly string[];
  /** Whether the user has to log in. */
  readonly asksName: boolean;
}

/** Opens the page that a client sends its user to, and reads it. */
export async function openConsent(page: Page, url: string): Promise<ConsentPage> {
  await page.goto(url);
  const items = await page.locator('li[data-scope]').all();
  const scopes = await Promise.all(
    items.map(async (item) => ({
      name: (await item.getAttribute('data-scope')) ?? '',
      isHeld: (await item.innerText()).includes('allowed before'),
    })),
  );
  return {
    heading: await page.locator('h1').innerText(),
    scopes: scopes.map(({ name }) => name),
    held: scopes.filter(({ isHeld }) => isHeld).map(({ name }) => name),
    asksName: await page.getByLabel('Your name').isVisible(),
  };
}

/** Presses a button of the consent page, with a name where one is asked for, and waits for the client's own page. */
export async function answerConsent(
  page: Page,
  { name, button = 'Allow' }: { readonly name?: string; readonly button?: 'Allow' | 'Deny' },
): Promise<void> {
  if (name !== undefined) await page.getByLabel('Your name').fill(name);
  const { origin } = new URL(page.url());
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL((url) => url.origin !== origin);
}
