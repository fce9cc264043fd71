import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findFreePort } from '../conformance/find-free-port.js';
import { until } from '../support/until.js';
import { INSPECTOR, inspectorNode } from './inspector.js';

const PATIENCE_MS = 30_000;

/** The page of the official inspector, and the program behind it, which sends its requests. */
export class WebInspector {
  #printed = '';

  private constructor(
    private readonly page: Page,
    private readonly child: ChildProcess,
    private readonly home: string,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
  }

  /** Opens the inspector with one server, to which it does not connect yet. */
  static async open(page: Page, serverUrl: string): Promise<WebInspector> {
    const home = mkdtempSync(join(tmpdir(), 'web-inspector-'));
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    const args = [INSPECTOR, '--web', '--server-url', serverUrl, '--transport', 'http'];
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandboxPort),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
      DANGEROUSLY_OMIT_AUTH: 'true',
    };
    const child = spawn(inspectorNode(), args, { env });
    const inspector = new WebInspector(page, child, home, `http://127.0.0.1:${port}`);
    const isUp = () => inspector.#printed.includes(inspector.url);
    await until(isUp, () => `the inspector: ${inspector.#printed}`, PATIENCE_MS);
    await page.goto(inspector.url);
    return inspector;
  }

  /** Begins to connect, for which the page can leave to the authorization server. */
  async connect(): Promise<void> {
    await this.page.getByRole('switch').first().click({ force: true });
  }

  /** Waits until the page is back from the authorization server, and connected. */
  async returned(): Promise<void> {
    await this.page.waitForURL((url) => url.origin === this.url && url.pathname === '/');
    await this.page.getByText('Tools', { exact: true }).first().waitFor();
  }

  async execute(tool: string): Promise<void> {
    await this.page.getByText('Tools', { exact: true }).first().click();
    await this.page.getByText(tool, { exact: true }).first().click();
    await this.page.getByRole('button', { name: 'Execute Tool' }).click();
  }

  /** Agrees to the step-up that a tool needs. */
  async stepUp(): Promise<void> {
    await this.page.getByRole('button', { name: 'Authorize', exact: true }).click();
  }

  /** Deletes the login, as its user does to log out. */
  async logOut(): Promise<void> {
    await this.page.getByText('Servers', { exact: true }).first().click();
    await this.page.getByRole('button', { name: 'Connection Info' }).click();
    await this.page.getByRole('button', { name: 'Clear OAuth state and disconnect' }).click();
    await this.page.getByText('Disconnected', { exact: true }).waitFor();
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    rmSync(this.home, { recursive: true, force: true });
  }
}
