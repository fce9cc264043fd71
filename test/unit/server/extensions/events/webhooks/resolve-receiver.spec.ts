import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  pinLookup,
  resolveReceiver,
} from '../../../../../../lib/server/extensions/events/webhooks/receiver-address.js';
import { WebhookReceiverError } from '../../../../../../lib/server/extensions/events/webhooks/webhook.error.js';
import { within } from '../../../../../support/until.js';

const RECEIVER = new URL('https://hooks.example.com/');
const PUBLIC = '93.184.215.14';

const answer = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIP(address) }));

function resolve(resolveHost: () => Promise<LookupAddress[]>, allowPrivateAddresses = false) {
  const { signal } = new AbortController();
  return resolveReceiver(RECEIVER, { allowPrivateAddresses, resolveHost }, signal);
}

/** Asks as a connection does. */
function ask(lookup: LookupFunction, all: boolean): Promise<unknown[]> {
  return new Promise((done) => lookup('elsewhere.example', { all }, (...answered) => done(answered)));
}

describe('The addresses of a webhook receiver', () => {
  it.each([
    ['127.0.0.1'],
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['100.64.0.1'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['2001::1'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['2606:4700:4700::1111%lo'],
    ['fd00:ec2::254'],
    ['ff02::1'],
    ['hooks.example.com'],
    ['0x7f000001'],
    ['127.1'],
    [''],
  ])('are refused as %j, alone, first or last (EVT-01)', async (address) => {
    for (const addresses of [[address], [address, PUBLIC], [PUBLIC, '1.1.1.1', address]]) {
      await expect(resolve(async () => answer(...addresses))).rejects.toThrow(WebhookReceiverError);
    }
  });

  it('are refused where there are none or the look-up fails, in the words for private ones (EVT-01)', async () => {
    const refusals = [
      async () => [],
      () => Promise.reject(new Error('getaddrinfo ENOTFOUND hooks.example.com')),
      async () => answer('127.0.0.1'),
    ];
    for (const refusal of refusals) {
      await expect(resolve(refusal)).rejects.toThrow(
        'The receiver "url" must point only to public addresses that accept connections',
      );
    }
  });

  it('that cannot be looked up are refused with the reason, which no answer has (EVT-01)', async () => {
    const reason = new Error('getaddrinfo ENOTFOUND hooks.example.com');
    const refusal = await resolve(() => Promise.reject(reason)).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: -32015, cause: reason });
    expect(JSON.stringify(refusal)).not.toContain('ENOTFOUND');
  });

  it('are all given where all are public, with the families they really have (EVT-01)', async () => {
    const mislabelled = [
      { address: PUBLIC, family: 6 },
      { address: '2606:4700:4700::1111', family: 4 },
    ];
    await expect(resolve(async () => mislabelled)).resolves.toEqual(answer(PUBLIC, '2606:4700:4700::1111'));
  });

  it('are at most sixteen, and those behind are checked too (EVT-01)', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `8.8.8.${index}`);
    await expect(resolve(async () => answer(...many))).resolves.toHaveLength(16);
    await expect(resolve(async () => answer(...many, '10.0.0.1'))).rejects.toThrow(WebhookReceiverError);
  });

  it('are of any kind where that is allowed (EVT-01)', async () => {
    await expect(resolve(async () => answer('127.0.0.1', PUBLIC), true)).resolves.toHaveLength(2);
    await expect(resolve(async () => [], true)).rejects.toThrow(WebhookReceiverError);
  });

  it('are not waited for beyond the limit of time (EVT-01)', async () => {
    const limit = new AbortController();
    const policy = { allowPrivateAddresses: false, resolveHost: () => new Promise<never>(() => undefined) };
    const resolved = resolveReceiver(RECEIVER, policy, limit.signal);
    limit.abort(new Error('too late'));
    await expect(within(resolved, 'the limit')).rejects.toThrow('too late');
    await expect(resolveReceiver(RECEIVER, policy, limit.signal)).rejects.toThrow('too late');
  });

  it('are pinned: a connection gets those that were checked, whatever it asks for (EVT-01)', async () => {
    const lookup = pinLookup(answer(PUBLIC, '1.1.1.1'));
    expect(await ask(lookup, true)).toEqual([null, answer(PUBLIC, '1.1.1.1')]);
    expect(await ask(lookup, false)).toEqual([null, PUBLIC, 4]);
  });
});
