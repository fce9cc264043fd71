import { describe, expect, it } from '@jest/globals';
import { PrivateAddressError } from '../../../../lib/client/authorization/errors.js';
import { AddressGuard, type GuardSettings } from '../../../../lib/client/authorization/client-http.js';

const ADDRESSES: { readonly [name: string]: readonly string[] } = {
  'desk.example.com': ['8.8.4.7'],
  'login.example.com': ['8.8.4.8', '2606:4700::8'],
  'intranet.example.com': ['8.8.4.9', '10.0.0.9'],
  'desk.corp.example.com': ['10.0.0.4'],
  'rebound.example.com': ['127.0.0.1'],
  'rebound.local': ['127.0.0.1'],
  'rebound.lan': ['127.0.0.1'],
  'nas.lan': ['10.0.0.7'],
};

function guard(settings: GuardSettings): AddressGuard {
  return new AddressGuard(settings, async (name) => ADDRESSES[name] ?? []);
}

const PUBLIC = 'https://desk.example.com/mcp';

describe('AddressGuard', () => {
  it.each([
    'https://10.0.0.5/token',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::5]/token',
    'http://127.0.0.1:8080/admin',
    'http://localhost/admin',
    'http://2130706433/admin',
    'https://0x0a000005/token',
    'https://metadata.internal/',
    'https://desk.corp/',
    'https://unknown.lan/',
    'https://intranet.example.com/token',
    'https://rebound.example.com/token',
  ])('keeps a public server from leading to %s (CLI-10)', async (url) => {
    await expect(guard({ serverUrl: PUBLIC }).assertReachable(url)).rejects.toThrow(PrivateAddressError);
  });

  it.each([
    'https://login.example.com/token',
    'https://desk.example.com/token',
    'https://unknown.example.com/',
  ])('lets a public server lead to %s (CLI-10)', async (url) => {
    await expect(guard({ serverUrl: PUBLIC }).assertReachable(url)).resolves.toBeUndefined();
  });

  it('lets a server of a private network lead into it, and not to this machine (CLI-10)', async () => {
    const inside = guard({ serverUrl: 'https://10.0.0.4/mcp' });
    await expect(inside.assertReachable('https://10.0.0.5/token')).resolves.toBeUndefined();
    await expect(inside.assertReachable('https://intranet.example.com/token')).resolves.toBeUndefined();
    await expect(inside.assertReachable('http://localhost/token')).rejects.toMatchObject({
      code: 'private_address',
    });
  });

  it.each(['https://rebound.local/token', 'https://rebound.lan/token'])(
    'keeps a server of a private network from leading to this machine by %s (CLI-10)',
    async (url) => {
      const inside = guard({ serverUrl: 'https://nas.lan/mcp' });
      await expect(inside.assertReachable('https://nas.lan/token')).resolves.toBeUndefined();
      await expect(inside.assertReachable('https://10.0.0.5/token')).resolves.toBeUndefined();
      await expect(inside.assertReachable(url)).rejects.toThrow(PrivateAddressError);
    },
  );

  it('lets a server of this machine lead everywhere (CLI-10)', async () => {
    const here = guard({ serverUrl: 'http://localhost:3000/mcp' });
    await expect(here.assertReachable('http://127.0.0.1:4000/token')).resolves.toBeUndefined();
    await expect(here.assertReachable('https://10.0.0.5/token')).resolves.toBeUndefined();
  });

  it('takes a server for as far as the farthest of its addresses (CLI-10)', async () => {
    const pretender = guard({ serverUrl: 'https://intranet.example.com/mcp' });
    await expect(pretender.assertReachable('https://10.0.0.5/token')).rejects.toThrow(PrivateAddressError);
    await expect(pretender.assertReachable('http://localhost/token')).rejects.toThrow(PrivateAddressError);
  });

  it('lets a name that is resolved to a private network lead into it (CLI-10)', async () => {
    const inside = guard({ serverUrl: 'https://desk.corp.example.com/mcp' });
    await expect(inside.assertReachable('https://10.0.0.5/token')).resolves.toBeUndefined();
    await expect(inside.assertReachable('http://localhost/token')).rejects.toThrow(PrivateAddressError);
  });

  it('takes no name but "localhost" for a server of this machine (CLI-10)', async () => {
    const rebound = guard({ serverUrl: 'https://rebound.example.com/mcp' });
    await expect(rebound.assertReachable('http://localhost/token')).rejects.toThrow(PrivateAddressError);
  });

  it('leaves names to a given "fetch", which may resolve them elsewhere (CLI-10)', async () => {
    const given = guard({ serverUrl: PUBLIC, fetch });
    await expect(given.assertReachable('https://intranet.example.com/token')).resolves.toBeUndefined();
    await expect(given.assertReachable('https://10.0.0.5/token')).rejects.toThrow(PrivateAddressError);
    await expect(given.assertReachable('https://nas.lan/token')).rejects.toThrow(PrivateAddressError);
  });

  it.each([{}, { serverUrl: PUBLIC, allowPrivateAddresses: true }])(
    'lets URLs be that are meant so: %j (CLI-10)',
    async (settings) => {
      await expect(guard(settings).assertReachable('https://10.0.0.5/token')).resolves.toBeUndefined();
    },
  );

  it('does not wait for a name longer than it has to (CLI-10)', async () => {
    const slow = new AddressGuard({ serverUrl: PUBLIC }, () => new Promise(() => undefined));
    const reason = new Error('enough');
    await expect(slow.assertReachable('https://login.example.com/', AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
  });
});
