import { describe, expect, it } from '@jest/globals';
import { formatLine } from '../../../../lib/server/log/format-line.js';

const HTTP = { headers: {}, request: { socket: { remoteAddress: '127.0.0.1' } } };

describe('formatLine', () => {
  it('says of nothing that it is not known (OPS-06)', () => {
    expect(formatLine('It failed', {})).toBe('It failed [caller=- session=- address=- method=- target=-]');
  });

  it('names who, in which session, and what for (OPS-06)', () => {
    const claims = {
      sub: 'ada',
      iss: 'https://login.example.com',
      clientId: 'cli',
      aud: [],
      scopes: [],
      extra: {},
    };
    const line = formatLine('It failed', {
      auth: { claims },
      http: HTTP,
      session: { id: 'the-id-of-a-session' },
      method: 'tools/call',
      params: { name: 'close' },
      taskId: 'a-task',
    });
    expect(line).toMatch(
      /^It failed \[caller="ada" issuer="https:\/\/login\.example\.com" client="cli" session=[\da-f]{16} address=127\.0\.0\.1 method="tools\/call" target="close" task=[\da-f]{16}\]$/,
    );
    expect(line).not.toContain('a-task');
  });

  it('shows a digest of a session that is none of its own (OPS-06)', () => {
    const http = { ...HTTP, headers: { 'mcp-session-id': 'stolen] [caller="root"' } };
    expect(formatLine('Refused', { http })).toMatch(/ session=[\da-f]{16} /);
  });

  it('takes an address of a proxy for no more than it is (OPS-06)', () => {
    const headers = { 'x-forwarded-for': 'anything' };
    const http = { headers, request: { ip: '1] [caller="root"', socket: {} } };
    expect(formatLine('Refused', { http })).toContain(String.raw` address="1] [caller=\"root\"" method`);
  });

  it.each([
    ['\n', String.raw`\n`],
    ['\r', String.raw`\r`],
    ['\u001b', String.raw`\u001b`],
    ['\u0085', String.raw`\u0085`],
    ['\u2028', String.raw`\u2028`],
    ['\u202e', String.raw`\u202e`],
    ['\ud83d', String.raw`\ud83d`],
  ])('escapes %j wherever it stands (OPS-06)', (character, escaped) => {
    const claims = { sub: `a${character}`, aud: [], scopes: [], extra: {} };
    const line = formatLine(`It failed${character}`, { auth: { claims }, params: { name: `b${character}` } });
    expect(line).not.toContain(character);
    expect(line).toContain(`It failed${escaped} [caller="a${escaped}" `);
    expect(line).toContain(`target="b${escaped}"]`);
  });

  it('keeps whole characters, and cuts long texts (OPS-06)', () => {
    expect(formatLine('Gärten 🌱', {})).toContain('Gärten 🌱 [');
    expect(formatLine('x'.repeat(100_000), { params: { uri: 'y'.repeat(100_000) } }).length).toBeLessThan(
      2500,
    );
  });
});
