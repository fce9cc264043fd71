const MOST_REDIRECTS = 12;

/** A browser and its user in one, without a screen: it keeps cookies, and follows redirects to the last page. */
export class Visitor {
  /** The addresses that it was opened with, in order. */
  readonly opened: URL[] = [];
  /** The pages that it ended at, in order. */
  readonly pages: { readonly url: URL; readonly status: number; readonly text: string }[] = [];
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Stands for the system's way to open a browser. */
  readonly open = async (address: string): Promise<void> => {
    this.opened.push(new URL(address));
    let url = new URL(address);
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
      const response = await this.#get(url);
      const location = response.headers.get('location');
      if (location === null) {
        this.pages.push({ url, status: response.status, text: await response.text() });
        return;
      }
      url = new URL(location, url);
    }
    throw new Error(`The browser is redirected without end, to ${url.href}`);
  };

  async #get(url: URL): Promise<Response> {
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html', cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
