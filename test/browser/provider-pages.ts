import type { Browser, Page } from 'playwright-core';

/** Opens a page that asks nobody beyond this machine: the provider's own pages want a font from elsewhere. */
export async function openLoopbackPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  return page;
}

/** Logs in where the provider's own pages ask for that, consents, and gives the text of the page where it ends. */
export async function logIn(page: Page, address: string): Promise<string> {
  const { origin } = new URL(address);
  await page.goto(address);
  if (await page.getByPlaceholder('Enter any login').isVisible()) {
    await page.getByPlaceholder('Enter any login').fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL((url) => url.origin !== origin);
  return page.locator('body').innerText();
}
