import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { until } from '../support/until.js';
import type { ReadableGuest, StoredLogin } from './guest.js';
import { NotedBrowser } from './noted-browser.js';

const PROXY = fileURLToPath(new URL('../../node_modules/.bin/mcp-remote', import.meta.url));
const PATIENCE_MS = 30_000;

/** `mcp-remote` as a desktop client starts it, with a folder of its own and a browser that opens nothing. */
export class McpRemoteGuest implements ReadableGuest {
  /** What it printed on its standard error. */
  log = '';
  readonly #client = new Client({ name: 'desktop', version: '1.0.0' });
  readonly #folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  readonly #browser = new NotedBrowser(this.#folder);
  readonly #transport: StdioClientTransport;

  /** @param protocol `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  constructor(url: string, protocol: 'auto' | 'legacy') {
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROXY, url, '--allow-http', '--protocol', protocol],
      env: {
        PATH: process.env['PATH'] ?? '',
        MCP_REMOTE_CONFIG_DIR: this.#folder,
        BROWSER: this.#browser.program,
      },
      stderr: 'pipe',
    });
    this.#transport.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  async connect(): Promise<void> {
    try {
      await this.#client.connect(this.#transport, { timeout: PATIENCE_MS });
    } catch (cause) {
      throw new Error(`mcp-remote does not connect: ${this.log}`, { cause });
    }
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.#client.callTool({ name, arguments: input }, { timeout: PATIENCE_MS });
  }

  /** It opens the browser first, and listens for what comes back then. */
  async sentTo(times: number): Promise<string> {
    const listens = () => this.log.split('OAuth callback server running').length > times;
    await until(
      () => listens() && this.#browser.addresses.length >= times,
      () => `address ${times}: ${this.log}`,
      PATIENCE_MS,
    );
    return this.#browser.opened(times);
  }

  async readLogin(): Promise<StoredLogin> {
    const { client_id: clientId } = this.#read('_client_info.json');
    const { refresh_token: refreshToken } = this.#read('_tokens.json');
    return { clientId: String(clientId), refreshToken: String(refreshToken) };
  }

  async stop(): Promise<void> {
    await this.#client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #read(ending: string): Readonly<Record<string, unknown>> {
    const files = readdirSync(this.#folder, { recursive: true }).map(String);
    const file = files.find((name) => name.endsWith(ending));
    if (file === undefined) throw new Error(`mcp-remote has no file "${ending}": ${files.join(' ')}`);
    return JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Readonly<Record<string, unknown>>;
  }
}
