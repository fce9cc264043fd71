import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationServerSettings } from '../settings/authorization-server-options.js';

/** Thrown if a login cannot continue. The browser shows the message to the user. */
export class LoginError extends Error {
  override readonly name = 'LoginError';

  constructor(
    message: string,
    readonly status: 400 | 403 | 413 | 502 = 400,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const BROWSER_BYTES = 32;
const BROWSER = /^[\w-]{43}$/;
const MAXIMUM_FORM_BYTES = 4096;

/** No scripts, no frames, nothing from other origins; `form-action` is omitted because browsers also apply it to the redirects that follow. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The cookie that identifies the browser in which a login started. Only this browser can complete the login at the callback.
 */
export class BrowserCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor({ issuer, path }: Pick<AuthorizationServerSettings, 'issuer' | 'path'>) {
    const isSecure = issuer.startsWith('https:');
    this.#name = isSecure ? '__Secure-mcp_login' : 'mcp_login';
    // The path includes the consent page, so a second login in this browser does not replace the first one's cookie.
    this.#attributes = `; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the browser's identifier, or `undefined` if it did not send one. */
  read({ headers }: IncomingMessage): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, value = ''] = pair.trim().split('=');
      if (name === this.#name && BROWSER.test(value)) return value;
    }
    return undefined;
  }

  /** Assigns an identifier to the browser, in the next response. */
  create(response: ServerResponse): string {
    const browser = randomBytes(BROWSER_BYTES).toString('base64url');
    response.appendHeader('set-cookie', `${this.#name}=${browser}${this.#attributes}`);
    return browser;
  }
}

/** Splits a request target. It is not a URL yet: a leading `//` would be parsed as a host. */
export function parseTarget({ url = '/' }: IncomingMessage): {
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
} {
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  return { pathname: url.slice(0, end), searchParams: new URLSearchParams(url.slice(end + 1)) };
}

/**
 * Reads a form submitted from one of our pages.
 *
 * @throws {LoginError} if it is too long
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const parsed: unknown = (request as { readonly body?: unknown }).body;
  if (typeof parsed === 'object' && parsed !== null)
    return new URLSearchParams(parsed as Record<string, string>);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // If the form is too long, the connection stays open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAXIMUM_FORM_BYTES) throw new LoginError('The form is too long', 413);
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** The headers of a page that can neither be framed nor cached. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Sends a page that can neither be framed nor cached. */
export function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(page) });
  response.end(page);
}

/** Redirects the browser to another address. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
  });
  response.end();
}
