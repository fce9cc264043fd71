const MOST_STEPS = 20;

/** A browser and its user in one, who fills in every form and sends it: it keeps cookies and follows redirects. */
export class FormBrowser {
  /** The text of each page that had a form. */
  readonly pages: string[] = [];
  readonly #cookies = new Map<string, string>();

  /** @param fields what is typed in, by the names of fields; hidden fields are sent as they are */
  constructor(private readonly fields: Readonly<Record<string, string>>) {}

  /** Goes on from an address until no form is left, and gives the last page. */
  async visit(address: string): Promise<string> {
    let url = new URL(address);
    let form: URLSearchParams | undefined;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const response = await this.#fetch(url, form);
      form = undefined;
      const location = response.headers.get('location');
      const page = await response.text();
      if (location !== null) url = new URL(location, url);
      else if (!response.ok) throw new Error(`${url.pathname} answers ${response.status}: ${page}`);
      else if (page.includes('<form')) [url, form] = this.#fillIn(page, url);
      else return page;
    }
    throw new Error('The authorization server asks without end');
  }

  #fillIn(page: string, url: URL): [URL, URLSearchParams] {
    this.pages.push(page.replaceAll(/<style[^]*?<\/style>|<[^>]+>/g, ' '));
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? '';
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const sent = hidden.map(([, name = '', value = '']) => [name, value] as const);
    return [new URL(action, url), new URLSearchParams({ ...this.fields, ...Object.fromEntries(sent) })];
  }

  async #fetch(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form && { method: 'POST', body: form };
    const headers = { accept: 'text/html', cookie };
    const response = await fetch(url, { redirect: 'manual', headers, ...sent });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}
