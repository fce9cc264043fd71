import type { Page } from 'playwright-core';
import { formatCsp } from './format-csp.js';
import { HOST_ORIGIN, HOST_PAGE, SANDBOX_ORIGIN, SANDBOX_PAGE, VIEW_ORIGIN } from './host-pages.js';
import type { AppDocument } from './read-app.js';

/** Gives the browser the pages of the host, and the app with the policy that it declares: nothing of them is on the network. */
export async function servePages(page: Page, { html, meta }: AppDocument): Promise<void> {
  const policy = formatCsp(meta.csp ?? {});
  const documents: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [HOST_ORIGIN, HOST_PAGE, {}],
    [SANDBOX_ORIGIN, SANDBOX_PAGE, {}],
    [VIEW_ORIGIN, html, { 'content-security-policy': policy }],
  ];
  for (const [origin, body, headers] of documents) {
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname !== '/') return route.fulfill({ status: 404, body: '' });
      return route.fulfill({ body, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
    });
  }
}
