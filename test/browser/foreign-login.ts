import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Page } from 'playwright-core';
import { DeskModule } from '../../sample/03-protected/desk.module.js';
import { findFreePort } from '../conformance/find-free-port.js';
import { folderOf } from '../e2e/docs/pages.js';
import { findBlocks } from '../e2e/docs/snippets.js';
import { NodeProgram } from '../support/programs/node-program.js';

const PAGE = 'docs/authorization.md';
const FILE = 'authorization-server.mjs';

/** The authorization server of "Try an OAuth login locally", and a desk that trusts it. */
export class ForeignLogin {
  private constructor(
    readonly url: URL,
    readonly issuer: string,
    private readonly app: INestApplication,
    private readonly server: NodeProgram,
  ) {}

  /** @param change changes the code of the page, such as to leave out what lets browsers in */
  static async start(name: string, change: (code: string) => string = (code) => code): Promise<ForeignLogin> {
    const [port, issuerPort] = [await findFreePort(), await findFreePort()];
    const ports: Readonly<Record<string, number>> = { 3000: port, 3001: issuerPort };
    const code = findBlocks(PAGE).find((block) => block.file === FILE)?.text ?? '';
    const folder = join(folderOf(PAGE), 'of-browsers');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.mjs`);
    writeFileSync(
      file,
      change(code).replaceAll(/300[01]/g, (shown) => String(ports[shown])),
    );
    const server = new NodeProgram(file);
    await server.prints('The authorization server is');
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const issuer = `http://127.0.0.1:${issuerPort}`;
    const app = await NestFactory.create(DeskModule.at({ url: url.href, issuer }), { logger: ['error'] });
    await app.listen(port, '127.0.0.1');
    return new ForeignLogin(url, issuer, app, server);
  }

  /** Logs in and consents at the pages of the authorization server, which are the provider's own. */
  async admit(page: Page): Promise<void> {
    await page.waitForURL((url) => url.origin === this.issuer);
    await page.getByPlaceholder('Enter any login').fill('ada');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((url) => url.origin === this.url.origin);
  }

  /** Ends the authorization server alone. */
  stopServer(): Promise<unknown> {
    return this.server.stop();
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.server.stop();
  }
}

/** Has the authorization server let pages register, and read no answer with tokens. */
export function keepTokensBack(code: string): string {
  return code.replace('new Provider(issuer, {', 'new Provider(issuer, {\n  clientBasedCORS: () => false,');
}

/** Has it let no page in at all, except to its metadata. */
export function closeToPages(code: string): string {
  const closed = keepTokensBack(code).replace(/provider\.use\([^]*?\n\}\);\n/, '');
  if (closed.includes('Access-Control')) throw new Error('The code still lets pages in');
  return closed;
}
