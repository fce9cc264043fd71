import { describe, expect, it } from '@jest/globals';
import { isPublicHost } from '../../../../lib/core/network/ssrf-guard.js';

describe('A host whose document anyone may name', () => {
  it.each([
    ['a public address', '1.1.1.1', [], true],
    ['an address of this machine', '127.0.0.1', [], false],
    ['a private address of IPv6', '[fd00::1]', [], false],
    ['a name of this machine', 'a.localhost', ['1.1.1.1'], false],
    ['a name of a private network', 'printer.local', ['1.1.1.1'], false],
    ['a name with a public address', 'client.example', ['1.1.1.1'], true],
    ['a name with an address of this machine', 'client.example', ['127.0.0.1'], false],
    ['a name with a public and a private address', 'client.example', ['1.1.1.1', '10.0.0.1'], false],
    ['a name without addresses', 'client.example', [], false],
  ])('is %s (AS-01)', async (_name, hostname, addresses, isPublic) => {
    await expect(isPublicHost(hostname, async () => addresses)).resolves.toBe(isPublic);
  });
});
