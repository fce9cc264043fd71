import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { MemoryOAuthProvider } from './memory.oauth-provider.js';
import { narratedFetch } from './narrated-fetch.js';
import type { ScriptedBrowser } from './scripted-browser.js';
import { show } from './terminal.js';

/** Nothing listens there: the scripted browser hands the address over. A real client listens on a port of its own. */
const CALLBACK = 'http://127.0.0.1:8976/callback';

/** The official client, which logs in when the server asks it to: at first, and whenever a call needs more. */
export class DeskClient {
  readonly #provider: MemoryOAuthProvider;
  #client = createClient();
  #transport: StreamableHTTPClientTransport;
  #authorizationUrl?: URL;

  constructor(
    private readonly url: URL,
    private readonly browser: ScriptedBrowser,
  ) {
    this.#provider = new MemoryOAuthProvider(CALLBACK, (address) => {
      this.#authorizationUrl = address;
    });
    this.#transport = this.#createTransport();
  }

  /** The scopes of the client's token, as the authorization server named them. */
  get scope(): string {
    return this.#provider.tokens()?.scope ?? '';
  }

  async connect(): Promise<void> {
    await this.#loggingIn(async () => {
      this.#client = createClient();
      this.#transport = this.#createTransport();
      await this.#client.connect(this.#transport);
    });
  }

  async listTools(): Promise<string[]> {
    const { tools } = await this.#client.listTools();
    return tools.map(({ name }) => name);
  }

  async call<Result>(name: string, input: Record<string, unknown> = {}): Promise<Result> {
    const { isError, content, structuredContent } = await this.#loggingIn(() =>
      this.#client.callTool({ name, arguments: input }),
    );
    if (isError) throw new Error(`"${name}" failed: ${JSON.stringify(content)}`);
    return structuredContent as Result;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Does something again once the user has allowed what it was refused for. */
  async #loggingIn<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || this.#authorizationUrl === undefined) throw error;
    }
    show('Browser', describeRequest(this.#authorizationUrl));
    const { asked, loggedIn, address } = await this.browser.decide(this.#authorizationUrl, CALLBACK);
    show('Consent page', `may the client ${Object.values(asked).join('; ')}?`);
    show('User', loggedIn ? 'logs in and allows it' : 'is logged in still, and allows it');
    await this.#transport.finishAuth(address.searchParams);
    show('Token for', this.scope);
    return act();
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.url, {
      authProvider: this.#provider,
      fetch: narratedFetch,
    });
  }
}

function createClient(): Client {
  return new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
}

function describeRequest({ origin, pathname, searchParams }: URL): string {
  return `${origin}${pathname} with scope "${searchParams.get('scope')}", resource ${searchParams.get('resource')}`;
}
