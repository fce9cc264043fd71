const MOST_REDIRECTS = 10;

/** What the authorization server asked, and where it sent the browser in the end. */
export interface Decision {
  /** What the page said about each scope, by its name. */
  readonly asked: Readonly<Record<string, string>>;
  /** Whether the user had to log in. */
  readonly loggedIn: boolean;
  /** The client's own address, with a code or an error. */
  readonly address: URL;
}

/** A browser and its user in one: it keeps cookies, follows redirects, and answers the one page that it knows. */
export class ScriptedBrowser {
  readonly #cookies = new Map<string, string>();

  /** @param user the name that the user logs in with */
  constructor(private readonly user: string) {}

  /**
   * Opens the page that a client sends its user to, and decides what is asked there.
   *
   * @param callback where the client waits for the answer
   */
  async decide(start: URL, callback: string, decision: 'allow' | 'deny' = 'allow'): Promise<Decision> {
    const page = await this.#open(start, callback);
    if (page instanceof URL) throw new Error(`The authorization server does not ask: ${page.search}`);
    const { action, asked, loggedIn } = readForm(page);
    const answer = new URLSearchParams({ name: this.user, decision });
    const address = await this.#open(new URL(action, page.url), callback, answer);
    if (address instanceof URL) return { asked, loggedIn, address };
    throw new Error('The authorization server asks again');
  }

  /** Follows redirects to a page, or to where the client waits. */
  async #open(start: URL, callback: string, form?: URLSearchParams): Promise<URL | Page> {
    let url = start;
    let body = form;
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
      if (url.href.startsWith(callback)) return url;
      const response = await this.#fetch(url, body);
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, html: await response.text() };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error('The authorization server redirects without end');
  }

  async #fetch(url: URL, body: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

function readForm({ status, html }: Page) {
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  if (status !== 200 || action === undefined) throw new Error(`The page asks for no consent: ${html}`);
  const items = [...html.matchAll(/<li data-scope="([^"]+)">(.+?)<\/li>/g)];
  const asked = Object.fromEntries(
    items.map(([, scope = '', text = '']) => [scope, text.replaceAll(/<[^>]+>/g, '')]),
  );
  return { action, asked, loggedIn: html.includes('name="name"') };
}
