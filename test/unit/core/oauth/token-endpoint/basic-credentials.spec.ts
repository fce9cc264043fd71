import { describe, expect, it } from '@jest/globals';
import { formatBasicCredentials } from '../../../../../lib/core/oauth/token-endpoint/client-identity.js';

function read(header: string): string {
  const [, credentials = ''] = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(header) ?? [];
  return Buffer.from(credentials, 'base64').toString();
}

describe('formatBasicCredentials (RFC 6749 §2.3.1)', () => {
  it.each([
    ['desk', 's3cret', 'desk:s3cret'],
    ['desk:api', 'a b', 'desk%3Aapi:a+b'],
    ['desk', '%&=+/umläut', 'desk:%25%26%3D%2B%2Fuml%C3%A4ut'],
    ['desk', '', 'desk:'],
  ])('encodes %j and %j as in a form (CLI-15)', (clientId, clientSecret, credentials) => {
    expect(read(formatBasicCredentials(clientId, clientSecret))).toBe(credentials);
  });

  it('leaves as it is what need not be encoded: many a server does not decode (CLI-15)', () => {
    expect(read(formatBasicCredentials('night-job_1.0', 'A*z'))).toBe('night-job_1.0:A*z');
  });
});
