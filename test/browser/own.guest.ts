import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { createAuthorizedFetch, MemoryCredentialStore, OAuthTokenSource } from 'nestjs-mcp/client';
import { until } from '../support/until.js';
import type { Guest } from './guest.js';

const PATIENCE_MS = 20_000;

/** The official client with our login: it opens a browser and listens for its return. */
export class OwnGuest implements Guest {
  readonly store = new MemoryCredentialStore();
  readonly #addresses: string[] = [];
  readonly #client: Client;

  /** @param mode `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  constructor(
    private readonly serverUrl: string,
    mode: 'auto' | 'legacy',
  ) {
    this.#client = new Client({ name: 'guest', version: '1.0.0' }, { versionNegotiation: { mode } });
  }

  async connect(): Promise<void> {
    const { serverUrl, store } = this;
    const openBrowser = async (address: string) => void this.#addresses.push(address);
    const tokenSource = new OAuthTokenSource({ serverUrl, store, openBrowser, clientName: 'Own guest' });
    const authorized = createAuthorizedFetch({ serverUrl, tokenSource });
    await this.#client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { fetch: authorized }));
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.#client.callTool({ name, arguments: input });
  }

  async sentTo(times: number): Promise<string> {
    await until(() => this.#addresses.length >= times, `address ${times}`, PATIENCE_MS);
    return this.#addresses[times - 1]!;
  }

  async stop(): Promise<void> {
    await this.#client.close();
  }
}
