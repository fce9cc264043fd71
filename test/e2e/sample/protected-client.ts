import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { MemoryOAuthProvider } from '../../../sample/03-protected/demo/memory.oauth-provider.js';
import { ScriptedBrowser, type Decision } from '../../../sample/03-protected/demo/scripted-browser.js';

const CALLBACK = 'http://127.0.0.1:1/callback';

/** The official client with a scripted user, who logs in and decides whenever the server asks for it. */
export class ProtectedClient {
  /** What the user says next. */
  decision: 'allow' | 'deny' = 'allow';
  /** What the user was asked so far. */
  readonly decisions: Decision[] = [];
  readonly provider: MemoryOAuthProvider;
  readonly #browser: ScriptedBrowser;
  #client: Client;
  #transport: StreamableHTTPClientTransport;
  #address?: URL;

  /** @param mode `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  constructor(
    private readonly url: string,
    private readonly mode: 'auto' | 'legacy',
    user = 'ada',
  ) {
    this.#browser = new ScriptedBrowser(user);
    this.provider = new MemoryOAuthProvider(CALLBACK, (address) => {
      this.#address = address;
    });
    this.#client = this.#createClient();
    this.#transport = this.#createTransport();
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  async connect(): Promise<void> {
    await this.#loggingIn(async () => {
      this.#client = this.#createClient();
      this.#transport = this.#createTransport();
      await this.#client.connect(this.#transport);
    });
  }

  call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.#loggingIn(() => this.#client.callTool({ name, arguments: input }));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #loggingIn<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || this.#address === undefined) throw error;
    }
    const decision = await this.#browser.decide(this.#address, CALLBACK, this.decision);
    this.decisions.push(decision);
    await this.#transport.finishAuth(decision.address.searchParams);
    return act();
  }

  #createClient(): Client {
    return new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: this.mode } });
  }

  #createTransport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL(this.url), { authProvider: this.provider });
  }
}
