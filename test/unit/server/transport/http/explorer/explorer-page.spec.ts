import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExplorerPage } from '../../../../../../lib/server/transport/http/explorer/explorer-page.js';

let folder: string;
let warnings: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explorer-page-'));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** The page that is made of a file. */
function open(file: string | undefined): ExplorerPage {
  const logger = { warn: (message: string) => void warnings.push(message) };
  return new ExplorerPage(
    { issuers: [], asksForToken: false, isOfThisMachine: true, relaysLogin: false, version: '1.0.0' },
    logger,
    () => file,
  );
}

describe('ExplorerPage', () => {
  it.each([undefined, 'page.html'])('says that it is not installed: %s (WAY-02)', async (name) => {
    const page = open(name && join(folder, name));
    const { status, body } = await page.find();
    expect([status, String(body)]).toEqual([
      501,
      expect.stringContaining('is not installed with this application'),
    ]);
    expect(warnings).toEqual([]);
  });

  it('says that it cannot be read, and tells the log why (WAY-02)', async () => {
    const page = open(folder);
    const { status, body } = await page.find();
    expect([status, String(body)]).toEqual([500, expect.stringContaining('cannot be read')]);
    expect(String(body)).not.toContain(folder);
    expect(warnings).toEqual([expect.stringMatching(/^The explorer page cannot be read: EISDIR/)]);
  });

  it('is there once its file is, and stays as it was then (WAY-02)', async () => {
    const file = join(folder, 'page.html');
    const page = open(file);
    expect((await page.find()).status).toBe(501);
    await writeFile(file, '<title>One</title>');
    expect(String((await page.find()).body)).toContain('One');
    await writeFile(file, '<title>Two</title>');
    expect(String((await page.find()).body)).toContain('One');
  });
});
