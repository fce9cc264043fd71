import { describe, expect, it } from '@jest/globals';
import { findRevision, REVISIONS } from '../../../../lib/core/protocol/revisions.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { SessionIdCodec } from '../../../../lib/server/sessions/session-id.codec.js';
import type { Negotiated } from '../../../../lib/server/sessions/negotiated.interface.js';

const HOUR_MS = 3_600_000;
const sealer = new Sealer();
const codec = new SessionIdCodec(sealer, true, '/mcp');

function negotiate(changes: Partial<Negotiated> = {}): Negotiated {
  return {
    revision: REVISIONS[1]!,
    client: { capabilities: { roots: { listChanged: true } }, info: { name: 'desk', version: '2' } },
    declared: { tools: { listChanged: true } },
    identity: 'https://id.example ada',
    ...changes,
  };
}

describe('SessionIdCodec', () => {
  it('gives back what the handshake settled, the caller included (SESS-05)', () => {
    const expires = Date.now() + HOUR_MS;
    expect(codec.parse(codec.format(negotiate(), expires))).toMatchObject({
      expires,
      negotiated: negotiate(),
    });
  });

  it('gives back the digests of the lists of the server (RELAY-16)', () => {
    const id = codec.format(negotiate({ lists: 'aaaaaa.bbbbbb.cccccc' }), Date.now() + HOUR_MS);
    expect(codec.parse(id)?.negotiated?.lists).toBe('aaaaaa.bbbbbb.cccccc');
  });

  it('says nothing of it where sessions are not adopted (SESS-05)', () => {
    const brief = new SessionIdCodec(sealer, false, '/mcp');
    const id = brief.format(negotiate(), Date.now() + HOUR_MS);
    expect(brief.parse(id)).not.toHaveProperty('negotiated');
    expect(id.length).toBeLessThan(150);
  });

  it('gives nothing to adopt for another server that has the same secret (SESS-05)', () => {
    const id = codec.format(negotiate(), Date.now() + HOUR_MS);
    expect(new SessionIdCodec(sealer, true, '/admin/mcp').parse(id)).not.toHaveProperty('negotiated');
  });

  it('tells two sessions of the same settlement apart (HTTP-03)', () => {
    const [one, other] = [1, 2].map(() => codec.format(negotiate(), Date.now() + HOUR_MS));
    expect(one).not.toBe(other);
  });

  it('stays short enough for a header whatever a client declares, and is then not adopted (SESS-05)', () => {
    const experimental = { 'com.example/long': { text: 'x'.repeat(5000) } };
    const id = codec.format(negotiate({ client: { capabilities: { experimental } } }), Date.now() + HOUR_MS);
    expect(id.length).toBeLessThan(200);
    expect(codec.parse(id)).toEqual({ nonce: expect.any(String), expires: expect.any(Number) });
  });

  it('does not know an id whose time is over (SESS-05)', () => {
    expect(codec.parse(codec.format(negotiate(), Date.now() - 1))).toBeUndefined();
  });

  it('gives nothing to adopt for a revision that has no sessions (SESS-05)', () => {
    const revision = findRevision('2026-07-28')!;
    const id = codec.format(negotiate({ revision }), Date.now() + HOUR_MS);
    expect(codec.parse(id)).not.toHaveProperty('negotiated');
  });

  it.each(['', '.', 'a.b', '36b8f84d-df4e-4d49-b662-bcde71a8764f', 'x'.repeat(100_000)])(
    'does not know %j (SESS-05)',
    (id) => {
      expect(codec.parse(id)).toBeUndefined();
    },
  );

  it('does not know what was sealed for another purpose (SESS-05)', () => {
    const state = sealer.seal('request-state', { n: 'a', e: Date.now() + HOUR_MS });
    expect(codec.parse(state)).toBeUndefined();
  });

  it('does not know an id with a later end written into it (SESS-05)', () => {
    const expires = Date.now() + HOUR_MS;
    const id = codec.format(negotiate(), expires);
    expect(codec.parse(id.replace(`${expires}`, `${expires + HOUR_MS}`))).toBeUndefined();
  });

  it('does not know an id with its settlement left out or another one put in (SESS-05)', () => {
    const [nonce, end, settlement, signature] = codec.format(negotiate(), Date.now() + HOUR_MS).split('.');
    const other = codec.format(negotiate({ identity: 'https://id.example bob' }), 1).split('.')[2];
    expect(codec.parse([nonce, end, settlement, signature].join('.'))).toBeDefined();
    expect(codec.parse([nonce, end, signature].join('.'))).toBeUndefined();
    expect(codec.parse([nonce, end, other, signature].join('.'))).toBeUndefined();
  });
});
