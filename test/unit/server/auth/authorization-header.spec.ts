import { describe, expect, it } from '@jest/globals';
import { explainAuthorization } from '../../../../lib/server/auth/authorization-header.js';

describe('explainAuthorization (RFC 6750 §2.1)', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'was sent more than once'],
    ['Bearer Bearer secret', 'contains the scheme "Bearer" twice'],
    ['bearer  BEARER', 'contains the scheme "Bearer" twice'],
    ['Bearer', 'has no token after "Bearer"'],
    ['BEARER  ', 'has no token after "Bearer"'],
    ['Bearer se cret', 'is not "Bearer" followed by a space and a token'],
    ['Bearer: secret', 'is not "Bearer" followed by a space and a token'],
    ['"Bearer secret"', 'is not "Bearer" followed by a space and a token'],
    ['secret', 'has no scheme'],
    ['', 'has no scheme'],
    ['Basic YTpi', 'has an unsupported scheme'],
    ['DPoP secret', 'has an unsupported scheme'],
    ['Bearish secret', 'has an unsupported scheme'],
  ])('says of %j that it %s, and nothing that it says (AUTH-02, AUTH-15)', (authorization, mistake) => {
    expect(explainAuthorization(authorization)).toBe(
      `A request was rejected because its "Authorization" header ${mistake}: send the token once, as "Authorization: Bearer <token>"`,
    );
  });
});
