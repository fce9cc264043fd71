import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { MemoryOAuthProvider } from '../../sample/03-protected/demo/memory.oauth-provider.js';
import { until } from '../support/until.js';
import { CallbackServer } from './callback-server.js';
import type { ReadableGuest, StoredLogin } from './guest.js';

const PATIENCE_MS = 20_000;

/** The official client of the first generation, which always has a session. */
export class V1Guest implements ReadableGuest {
  readonly #addresses: string[] = [];
  readonly #provider: MemoryOAuthProvider;
  #client = createClient();
  #transport?: StreamableHTTPClientTransport;

  private constructor(
    private readonly url: string,
    private readonly callback: CallbackServer,
    grantTypes: readonly string[],
  ) {
    this.#provider = new MemoryOAuthProvider(callback.url, ({ href }) => void this.#addresses.push(href));
    this.#provider.clientMetadata.grant_types = [...grantTypes];
  }

  /** @param grantTypes what it registers for; without `refresh_token` it gets no refresh tokens */
  static async create(
    url: string,
    grantTypes: readonly string[] = ['authorization_code', 'refresh_token'],
  ): Promise<V1Guest> {
    return new V1Guest(url, await CallbackServer.start(), grantTypes);
  }

  async connect(): Promise<void> {
    await this.#loggingIn(async () => {
      this.#client = createClient();
      this.#transport = new StreamableHTTPClientTransport(new URL(this.url), {
        authProvider: this.#provider,
      });
      await this.#client.connect(this.#transport);
    });
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.#loggingIn(
      async () => (await this.#client.callTool({ name, arguments: input })) as CallToolResult,
    );
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
    const answer = await this.callback.nextAnswer();
    const code = answer.get('code');
    if (code === null) throw new Error(`The login was refused: ${answer.toString()}`);
    await this.#transport?.finishAuth(code);
    return act();
  }
}

function createClient(): Client {
  return new Client({ name: 'guest', version: '1.0.0' });
}
