import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { ClientScene } from './client-fixture.js';

/** "add" asks there who may call, and nobody answers. */
const URL_OF_DESK = `http://127.0.0.1:${await findFreePort()}/mcp`;
const FILE = 'project/.cursor/mcp.json';
const MARK = '\u{feff}';
const SHOP = '{\n  "mcpServers": {\n    "shop": { "url": "https://shop.example.com/mcp" }\n  }\n}\n';

describe('A configuration that "add" and "remove" change', () => {
  let scene: ClientScene;

  beforeEach(() => {
    scene = new ClientScene();
  });

  afterEach(() => scene.end());

  const at = (path: string): string => scene.at(path);
  const read = (path = FILE): string => scene.read(path);
  const write = (content: string | Buffer): void => scene.write(FILE, content);
  const add = (...args: string[]) => scene.add('cursor', ...args, '--yes');
  const remove = (...args: string[]) => scene.remove('cursor', ...args, '--yes');
  const addDesk = () => add(URL_OF_DESK, '--name', 'desk');
  const removeDesk = () => remove('--name', 'desk');

  it('keeps its byte order mark, and is shown without it', async () => {
    write(MARK + SHOP);
    expect(await addDesk()).toBe(0);
    expect(read()).toMatch(new RegExp(`^${MARK}\\{\\n  "mcpServers": \\{\\n    "desk"`));
    expect(scene.printed.join()).not.toContain(MARK);
    expect(await removeDesk()).toBe(0);
    expect(read()).toBe(MARK + SHOP);
  });

  it('may have a byte order mark and nothing else', async () => {
    write(MARK);
    expect(await removeDesk()).toBe(0);
    expect(read()).toBe(MARK);
    expect(await addDesk()).toBe(0);
    expect(JSON.parse(read().slice(1))).toEqual({ mcpServers: { desk: { url: URL_OF_DESK } } });
  });

  it.each([
    ['UTF-16', Buffer.from(`${MARK}${SHOP}`, 'utf16le')],
    ['Latin-1', Buffer.from('{ "mcpServers": {} /* für */ }', 'latin1')],
  ])('is left alone in %s, and why is said', async (_, content) => {
    write(content);
    expect(await addDesk()).toBe(1);
    expect(scene.complaints).toEqual([expect.stringContaining('is not encoded in UTF-8: convert it first')]);
    expect(readFileSync(at(FILE)).equals(content)).toBe(true);
  });

  it('keeps the ends of its lines', async () => {
    const lines = SHOP.replaceAll('\n', '\r\n');
    write(lines);
    await addDesk();
    expect(read().replaceAll('\r\n', '')).not.toContain('\n');
    await removeDesk();
    expect(read()).toBe(lines);
  });

  it('may be empty', async () => {
    write('');
    chmodSync(at(FILE), 0o640);
    expect(await addDesk()).toBe(0);
    expect(JSON.parse(read())).toEqual({ mcpServers: { desk: { url: URL_OF_DESK } } });
    expect(statSync(at(FILE)).mode & 0o777).toBe(0o640);
  });

  it('keeps a mode that the process would not give to new files', async () => {
    write(SHOP);
    chmodSync(at(FILE), 0o666);
    const before = process.umask(0o077);
    try {
      await addDesk();
    } finally {
      process.umask(before);
    }
    expect(statSync(at(FILE)).mode & 0o777).toBe(0o666);
    expect(readdirSync(dirname(at(FILE)))).toEqual(['mcp.json']);
  });

  it('is left alone if it is read-only, though another file could take its place', async () => {
    write(SHOP);
    chmodSync(at(FILE), 0o444);
    expect(await addDesk()).toBe(1);
    expect(scene.complaints).toEqual([expect.stringContaining('is read-only, so nothing was written')]);
    expect([read(), readdirSync(dirname(at(FILE)))]).toEqual([SHOP, ['mcp.json']]);
  });

  it('is not removed either if it is read-only', async () => {
    await addDesk();
    chmodSync(at(FILE), 0o400);
    expect(await removeDesk()).toBe(1);
    expect(read()).toContain(URL_OF_DESK);
  });

  it('is written through a link to it, also to one that is not there yet', async () => {
    mkdirSync(dirname(at(FILE)));
    mkdirSync(at('dotfiles'));
    symlinkSync('../../dotfiles/link.json', at(FILE));
    symlinkSync('cursor.json', at('dotfiles/link.json'));
    expect(await addDesk()).toBe(0);
    expect(read('dotfiles/cursor.json')).toContain(URL_OF_DESK);
    expect(
      [lstatSync(at(FILE)), lstatSync(at('dotfiles/link.json'))].map((one) => one.isSymbolicLink()),
    ).toEqual([true, true]);
    expect(await removeDesk()).toBe(0);
    expect(read('dotfiles/cursor.json')).toBe('{}\n');
    expect(lstatSync(at(FILE)).isSymbolicLink()).toBe(true);
  });

  it('stays the same file under its other names', async () => {
    write(SHOP);
    linkSync(at(FILE), at('other.json'));
    expect(await addDesk()).toBe(0);
    expect(read('other.json')).toBe(read());
  });

  it.each([
    ['a device', (path: string) => symlinkSync('/dev/null', path)],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('is left alone if it is %s', async (_, make) => {
    mkdirSync(dirname(at(FILE)));
    make(at(FILE));
    const before = statSync(at(FILE)).mode;
    expect(await addDesk()).toBe(1);
    expect(scene.complaints).toEqual([expect.stringContaining('is not a regular file')]);
    expect(statSync(at(FILE)).mode).toBe(before);
  });

  it.each([
    ['the servers', '{ "mcpServers": {}, "mcpServers": { "shop": {} } }', 'mcpServers'],
    ['the server', '{ "mcpServers": { "desk": {}, "desk": {} } }', 'desk'],
  ])('is left alone if it has %s twice', async (_, text, name) => {
    write(text);
    for (const change of [addDesk, removeDesk]) {
      expect(await change()).toBe(1);
      expect(scene.complaints.at(-1)).toContain(`The file has "${name}" twice: merge both first`);
    }
    expect(read()).toBe(text);
  });

  describe('if nobody has named the server', () => {
    it('loses what "add" has put there, with its URL and without', async () => {
      for (const args of [[URL_OF_DESK], []]) {
        await add(URL_OF_DESK);
        expect(read()).toContain('"127-0-0-1"');
        expect(await remove(...args)).toBe(0);
        expect(scene.printed.at(-1)).toBe('Removed "127-0-0-1" from Cursor');
      }
    });

    it('loses a server that is started', async () => {
      await add('--yes', '--', 'node', 'dist/stdio.js');
      expect(read()).toContain('"server"');
      await remove();
      expect(scene.printed.at(-1)).toBe('Removed "server" from Cursor');
    });

    it('keeps servers of other names', async () => {
      write(SHOP);
      expect(await remove()).toBe(0);
      expect([scene.printed, read()]).toEqual([['Cursor has no "server"'], SHOP]);
    });

    it('keeps all of several that may be meant', async () => {
      await add(URL_OF_DESK);
      await add('https://shop.example.com/mcp');
      expect(await remove()).toBe(1);
      expect(scene.complaints.at(-1)).toContain(
        '"shop-example-com" and "127-0-0-1": pass the URL of one of them',
      );
      expect(await remove('https://shop.example.com/mcp')).toBe(0);
    });
  });
});
