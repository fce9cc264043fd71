import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExplorerPage } from '../../../../../../lib/server/transport/http/explorer/explorer-page.js';
import { sendHttp } from '../../../../../support/clients/raw-http.js';

let folder: string;
let server: Server;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explorer-page-'));
  warnings = [];
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Serves the page that is made of a file; gives what asks for it. */
async function serve(file: string | undefined) {
  const logger = { warn: (message: string) => void warnings.push(message) };
  const page = new ExplorerPage({ issuers: [], isOfThisMachine: true }, logger, () => file);
  server = createServer((_, response) => void page.send(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return () => sendHttp(`http://127.0.0.1:${port}/mcp`);
}

describe('ExplorerPage', () => {
  it.each([undefined, 'page.html'])('says that it is not installed: %s (WAY-02)', async (name) => {
    const open = await serve(name && join(folder, name));
    const { status, text } = await open();
    expect([status, text]).toEqual([501, expect.stringContaining('is not installed with this application')]);
    expect(warnings).toEqual([]);
  });

  it('says that it cannot be read, and tells the log why (WAY-02)', async () => {
    const open = await serve(folder);
    const { status, text } = await open();
    expect([status, text]).toEqual([500, expect.stringContaining('cannot be read')]);
    expect(text).not.toContain(folder);
    expect(warnings).toEqual([expect.stringMatching(/^The page at the endpoint cannot be read: EISDIR/)]);
  });

  it('is there once its file is, and stays as it was then (WAY-02)', async () => {
    const file = join(folder, 'page.html');
    const open = await serve(file);
    expect((await open()).status).toBe(501);
    await writeFile(file, '<title>One</title>');
    expect((await open()).text).toContain('One');
    await writeFile(file, '<title>Two</title>');
    expect((await open()).text).toContain('One');
  });
});
