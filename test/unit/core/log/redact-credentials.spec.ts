import { describe, expect, it } from '@jest/globals';
import { redactCredentials, redactWithin } from '../../../../lib/core/log/escape-text.js';

describe('redactCredentials()', () => {
  it.each([
    ['db://admin:hunter2@prod/app', 'db://REDACTED@prod/app'],
    ['https://hunter2@example.com/', 'https://REDACTED@example.com/'],
    ['redis://:hunter2@localhost:6379/0', 'redis://REDACTED@localhost:6379/0'],
    ['jdbc:postgresql://admin:hunter2@prod/app', 'jdbc:postgresql://REDACTED@prod/app'],
    ['db://admin:hun@ter2@prod/app', 'db://REDACTED@prod/app'],
    ['db://admin:hun/ter2@prod/app', 'db://REDACTED@prod/app'],
    ['db://admin:hun?ter2#@prod/app', 'db://REDACTED@prod/app'],
    ['https:\\\\admin:hunter2@prod', 'https:\\\\REDACTED@prod'],
    ['a://b:hunter2@c d://e:hunter2@f', 'a://REDACTED@c d://REDACTED@f'],
    [
      'https://x/?to=https%3A%2F%2Fadmin%3Ahunter2%40prod%2Fapp',
      'https://x/?to=https%3A%2F%2FREDACTED%40prod%2Fapp',
    ],
  ])('hides user information: %s (OPS-07)', (text, expected) => {
    expect(redactCredentials(text)).toBe(expected);
  });

  it.each([
    ['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'AWSAccessKeyId', 'Signature'],
    ['X-Goog-Signature', 'X-Goog-Credential', 'GoogleAccessId', 'sig', 'x-oss-signature', 'OSSAccessKeyId'],
    [
      'q-signature',
      'x-cos-security-token',
      'token',
      'access_token',
      'id_token',
      'refreshToken',
      'SAMLResponse',
    ],
    ['api_key', 'apikey', 'api-key', 'key', 'subscription-key', 'code', 'client_secret', 'code_verifier'],
    ['password', 'passwd', 'pwd', 'auth', 'authorization', 'jwt', 'client_assertion', 'session_id', 'sid'],
  ])('hides the values of %s, %s, %s, %s, %s and others (OPS-07)', (...names) => {
    for (const name of names) {
      expect(redactCredentials(`s3://b/o?a=1&${name}=hunter2&z=2`)).toBe(`s3://b/o?a=1&${name}=REDACTED&z=2`);
      expect(redactCredentials(`app:inbox#${name.toUpperCase()}=hunter2`)).not.toContain('hunter2');
      expect(redactCredentials(`app:inbox;${name}=hunter2`)).not.toContain('hunter2');
    }
  });

  it.each([
    'https://x/?%74oken=hunter2',
    'https://x/?next=https%3A%2F%2Fy%3Fa%3D1%26token%3Dhunter2%26b%3D2',
    'GET https://x/?token=hunter2 failed',
    '{"url":"https://x/?token=hunter2"}',
    'https://x/?token=a=hunter2',
    "https://x/?token=a'hunter2",
    'https://x/?tokens[]=hunter2',
  ])('hides values wherever the parameter stands: %s (OPS-07)', (text) => {
    expect(redactCredentials(text)).not.toContain('hunter2');
  });

  it.each([
    'tools/call',
    'desk://rules?page=2&author=ada&design=plain',
    'mailto:ada@example.com',
    'https://host:8080/users/@me',
    'https://host/a@b?c=d',
    'file:///home/ada@work/notes',
    'ticket://7?state=open',
    'a=b',
    'The resource "desk://a" is not there: 50% of 3 = 1.5',
  ])('leaves alone what grants nothing: %s (OPS-07)', (text) => {
    expect(redactCredentials(text)).toBe(text);
  });

  it('hides a credential that a cut would leave without its end (OPS-07)', () => {
    for (let longest = 1; longest < 40; longest += 1) {
      const shown = redactCredentials('db://admin:hunter2@prod/app?token=hunter2', longest);
      expect(shown).not.toMatch(/hun/);
      expect(shown.length).toBeLessThanOrEqual(longest + 1);
    }
    expect(redactCredentials('tools/call', 5)).toBe('tools…');
  });

  it('takes time that grows with the text alone (OPS-07)', () => {
    const texts = ['://', 'a://a:', '?a', '?a=', '%3a%2f%2f', '&token=', '?%61', '@', 'a:'];
    for (const text of texts) {
      const startedAt = performance.now();
      redactCredentials(`@=${text.repeat(20_000 / text.length)}`);
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });
});

describe('redactWithin()', () => {
  it('finds the texts of a value (OPS-07)', () => {
    const value = { uri: 'a://b:hunter2@c', list: ['x', { url: 'd://e?sig=hunter2' }], count: 1, none: null };
    expect(redactWithin(value)).toEqual({
      uri: 'a://REDACTED@c',
      list: ['x', { url: 'd://e?sig=REDACTED' }],
      count: 1,
      none: null,
    });
  });
});
