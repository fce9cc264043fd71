import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { until } from '../support/until.js';
import type { Guest } from './guest.js';

const PROXY = fileURLToPath(new URL('../../node_modules/.bin/mcp-remote', import.meta.url));
const PATIENCE_MS = 30_000;

/** Notes the address that it is to open, as the user's browser would be given it. */
const NOTING_BROWSER = `#!/bin/sh
printf '%s\\n' "$1" >> "$(dirname "$0")/opened"
`;

/** `mcp-remote` as a desktop client starts it, with a folder of its own and a browser that opens nothing. */
export class McpRemoteGuest implements Guest {
  /** What it printed on its standard error. */
  log = '';
  readonly #client = new Client({ name: 'desktop', version: '1.0.0' });
  readonly #folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  readonly #transport: StdioClientTransport;

  /** @param protocol `auto` takes the newest revision, which has no sessions; `legacy` shakes hands and has one */
  constructor(url: string, protocol: 'auto' | 'legacy') {
    const browser = join(this.#folder, 'browser');
    writeFileSync(browser, NOTING_BROWSER);
    chmodSync(browser, 0o755);
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROXY, url, '--allow-http', '--protocol', protocol],
      env: { PATH: process.env['PATH'] ?? '', MCP_REMOTE_CONFIG_DIR: this.#folder, BROWSER: browser },
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
    const file = join(this.#folder, 'opened');
    const listens = () => this.log.split('OAuth callback server running').length > times;
    await until(
      () => listens() && readLines(file).length >= times,
      `address ${times}: ${this.log}`,
      PATIENCE_MS,
    );
    return readLines(file)[times - 1]!;
  }

  async stop(): Promise<void> {
    await this.#client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
