interface Cookie {
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/** What a browser sends beside the address. */
export interface BrowserRequest {
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The answer to one request, with its page. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly page: string;
}

const MOST_STEPS = 12;

/** A browser that is moved one request at a time. It keeps cookies by host and path, and shares them among ports, as browsers do. */
export class CookieBrowser {
  readonly #cookies = new Map<string, Cookie>();

  /** Sends one request, and follows nothing. */
  async request(address: string | URL, { form, headers = {} }: BrowserRequest = {}): Promise<Visit> {
    const url = new URL(address);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...this.headers(url), ...headers },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line, url);
    return { url, status: response.status, headers: response.headers, page: await response.text() };
  }

  /** The headers that the browser sends to an address. */
  headers(address: string | URL): { readonly accept: string; readonly cookie: string } {
    return { accept: 'text/html', cookie: this.#select(new URL(address)) };
  }

  /** Follows redirects until a page is shown, or an address begins as given, which is not visited. */
  async follow(address: string | URL, end: string, request: BrowserRequest = {}): Promise<Visit> {
    let visit = await this.request(address, request);
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const location = visit.headers.get('location');
      if (location === null) return visit;
      const next = new URL(location, visit.url);
      if (next.href.startsWith(end)) return { ...visit, url: next };
      visit = await this.request(next);
    }
    throw new Error(`${visit.url.href} leads on without end`);
  }

  /** Sends the form of a page, with its hidden fields. */
  async send(visit: Visit, fields: Readonly<Record<string, string>>, end: string): Promise<Visit> {
    const action = /<form[^>]* action="([^"]+)"/.exec(visit.page)?.[1] ?? '';
    const hidden = [...visit.page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const form = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields };
    return this.follow(new URL(action, visit.url), end, { form });
  }

  #select({ hostname, pathname }: URL): string {
    const sent = [...this.#cookies].filter(
      ([, { host, path }]) =>
        host === hostname && (pathname === path || pathname.startsWith(path === '/' ? '/' : `${path}/`)),
    );
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  }

  #keep(line: string, { hostname, pathname }: URL): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const given = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length);
    const path = given ?? (pathname.slice(0, pathname.lastIndexOf('/')) || '/');
    const key = `${name} ${hostname} ${path}`;
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(key);
    else this.#cookies.set(key, { value, host: hostname, path });
  }
}
