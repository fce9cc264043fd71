import type { Browser, BrowserContext } from 'playwright-core';

/** Gives a person a browser that asks nobody beyond this machine: the provider's own pages want a font from elsewhere. */
export async function welcomePerson(browser: Browser): Promise<BrowserContext> {
  const person = await browser.newContext();
  await person.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  return person;
}

/**
 * Opens an address in a window of its own, logs in where the provider's own pages ask for that, consents, and gives the
 * text of the page where it ends.
 */
export async function logIn(person: BrowserContext, address: string): Promise<string> {
  const page = await person.newPage();
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
