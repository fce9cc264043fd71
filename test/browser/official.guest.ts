import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { MemoryOAuthProvider } from '../../sample/03-protected/demo/memory.oauth-provider.js';
import { until } from '../support/until.js';
import { CallbackServer } from './callback-server.js';
import type { ReadableGuest, StoredLogin } from './guest.js';

const PATIENCE_MS = 20_000;

/** The official client, with an OAuth provider of its own that listens for the browser on a loopback port. */
export class OfficialGuest implements ReadableGuest {
  readonly #addresses: string[] = [];
  readonly #provider: MemoryOAuthProvider;
  #client = this.#createClient();
  #transport?: StreamableHTTPClientTransport;

  private constructor(
    private readonly url: string,
    private readonly mode: 'auto' | 'legacy',
    private readonly callback: CallbackServer,
  ) {
    this.#provider = new MemoryOAuthProvider(callback.url, ({ href }) => void this.#addresses.push(href));
  }

  /** @param mode `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  static async create(url: string, mode: 'auto' | 'legacy'): Promise<OfficialGuest> {
    return new OfficialGuest(url, mode, await CallbackServer.start());
  }

  async connect(): Promise<void> {
    await this.#loggingIn(async () => {
      this.#client = this.#createClient();
      this.#transport = new StreamableHTTPClientTransport(new URL(this.url), {
        authProvider: this.#provider,
      });
      await this.#client.connect(this.#transport);
    });
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.#loggingIn(() => this.#client.callTool({ name, arguments: input }));
  }

  async sentTo(times: number): Promise<string> {
    await until(() => this.#addresses.length >= times, `address ${times}`, PATIENCE_MS);
    return this.#addresses[times - 1]!;
  }

  async readLogin(): Promise<StoredLogin> {
    const clientId = this.#provider.clientInformation()?.client_id ?? '';
    return { clientId, refreshToken: this.#provider.tokens()?.refresh_token ?? '' };
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.callback.stop();
  }

  async #loggingIn<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
    }
    await this.#transport?.finishAuth(await this.callback.nextAnswer());
    return act();
  }

  #createClient(): Client {
    return new Client({ name: 'guest', version: '1.0.0' }, { versionNegotiation: { mode: this.mode } });
  }
}
