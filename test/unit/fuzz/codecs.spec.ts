import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Keyring } from '../../../lib/core/sealing/keyring.js';
import { formatWebhookId } from '../../../lib/server/extensions/events/subscribe-params.js';
import { formatChallenge } from '../../../lib/core/oauth/challenges.js';
import { parseChallenges } from '../../../lib/core/oauth/read-challenges.js';
import { formatCursor, parseCursor } from '../../../lib/core/protocol/cursor.js';
import { formatHeaderValue, parseHeaderValue } from '../../../lib/core/protocol/headers/header-value.js';
import { UriTemplate } from '../../../lib/core/protocol/uri-template.js';
import { HANDSHAKE_VERSIONS } from '../../support/clients/json-rpc.js';
import { findRevision } from '../../../lib/core/protocol/revisions.js';
import { Sealer } from '../../../lib/core/sealing/sealer.js';
import { SessionIdCodec } from '../../../lib/server/sessions/session-id.codec.js';
import { readBody } from '../../../lib/server/transport/http/bodies/request-body.js';
import { LineReader } from '../../../lib/server/transport/stdio/lines.js';
import { anyText, assertEventually, assertProperty, wellFormedText } from './assert-property.js';

const LIMIT = 64;

describe('What a codec writes', () => {
  it('is read as any text that a header mirrors (SAFE-01)', () => {
    assertProperty([wellFormedText], (text) => {
      expect(parseHeaderValue(formatHeaderValue(text))).toBe(text);
    });
  });

  it('is read as any position in a list (SAFE-01) (CORE-04)', () => {
    assertProperty([fc.maxSafeNat()], (after) => {
      expect(parseCursor('tools', formatCursor('tools', after))).toBe(after);
    });
  });

  it('is read as any scope and description of a challenge, in visible ASCII (SAFE-01)', () => {
    assertProperty([fc.string(), fc.string()], (scope, error_description) => {
      const [challenge, ...others] = parseChallenges(formatChallenge('Bearer', { scope, error_description }));
      expect(others).toEqual([]);
      expect(Object.fromEntries(challenge!.parameters)).toEqual({ scope, error_description });
    });
  });

  it('is opened as any value that was sealed, and as nothing once a character is another (SAFE-01)', () => {
    const sealer = new Sealer(new Keyring(['a secret']));
    assertProperty([fc.jsonValue(), fc.nat(), fc.nat(25)], (value, place, letter) => {
      const sealed = sealer.seal('extension', value);
      expect(JSON.stringify(sealer.open('extension', sealed))).toBe(JSON.stringify(value));
      const at = place % sealed.length;
      const changed = `${sealed.slice(0, at)}${String.fromCharCode(97 + letter)}${sealed.slice(at + 1)}`;
      fc.pre(changed !== sealed);
      expect(sealer.open('extension', changed)).toBeUndefined();
    });
  });

  it('is read as what any handshake settled (SAFE-01) (HTTP-03)', () => {
    const codec = new SessionIdCodec(new Sealer(new Keyring(['a secret'])), true, '/mcp');
    const expires = Date.now() + 60_000;
    assertProperty([fc.constantFrom(...HANDSHAKE_VERSIONS), anyText, anyText], (version, name, identity) => {
      const client = { info: { name, version: '1' }, capabilities: { roots: {} } };
      const negotiated = { revision: findRevision(version)!, client, declared: {}, identity };
      const id = codec.format(negotiated, expires);
      expect(id).toMatch(/^[\x21-\x7e]{1,3072}$/);
      const ticket = codec.parse(id);
      expect(ticket?.expires).toBe(expires);
      expect([undefined, negotiated]).toContainEqual(ticket?.negotiated);
    });
  });

  it('is matched as any values of a URI template (SAFE-01)', () => {
    const template = new UriTemplate('desk://{area}/{id}{?fields*}');
    const text = fc.string({ unit: 'binary', minLength: 1 });
    assertProperty([text, text, fc.array(wellFormedText, { minLength: 1 })], (area, id, fields) => {
      expect(template.match(template.expand({ area, id, fields }))).toEqual({ area, id, fields });
    });
  });

  it('names one subscription, in whichever order its arguments come (SAFE-01)', () => {
    const key = { identity: 'ada', name: 'a', url: 'https://hooks.example.com' };
    assertProperty([fc.dictionary(anyText, fc.jsonValue())], (members) => {
      const turned = Object.fromEntries(Object.entries(members).toReversed());
      expect(formatWebhookId({ ...key, arguments: turned })).toBe(
        formatWebhookId({ ...key, arguments: members }),
      );
    });
  });
});

describe('What comes in pieces', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }));

  it('is the same lines as what comes at once (SAFE-01) (STDIO-02)', () => {
    assertProperty([pieces], (chunks) => {
      const cut = (parts: readonly Uint8Array[]) => {
        const reader = new LineReader(LIMIT);
        const lines = parts.flatMap((part) => [...reader.read(Buffer.from(part))]);
        return [...lines, reader.end()];
      };
      expect(cut(chunks)).toEqual(cut([Buffer.concat(chunks)]));
    });
  });

  it('is a body of as many bytes as may be, or refused with 413 (SAFE-01) (HTTP-07)', async () => {
    await assertEventually([pieces], async (chunks) => {
      const request = Object.assign(new PassThrough(), { headers: {} });
      const read = readBody(request as unknown as IncomingMessage, LIMIT).catch(
        (error: { readonly httpStatus?: number }) => error.httpStatus,
      );
      for (const chunk of chunks) request.write(chunk);
      request.end();
      const whole = Buffer.concat(chunks);
      expect(await read).toEqual(whole.length > LIMIT ? 413 : whole);
    });
  });
});
