import { describe, expect, it } from '@jest/globals';
import { explainAuthorization } from '../../../../lib/server/auth/authorization-header.js';

describe('explainAuthorization (RFC 6750 §2.1)', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'was sent several times'],
    ['Bearer Bearer secret', 'names the scheme "Bearer" twice'],
    ['bearer  BEARER', 'names the scheme "Bearer" twice'],
    ['Bearer', 'has no token after "Bearer"'],
    ['BEARER  ', 'has no token after "Bearer"'],
    ['Bearer se cret', 'is not "Bearer", a space and a token'],
    ['Bearer: secret', 'is not "Bearer", a space and a token'],
    ['"Bearer secret"', 'is not "Bearer", a space and a token'],
    ['secret', 'names no scheme'],
    ['', 'names no scheme'],
    ['Basic YTpi', 'has a scheme that is not accepted'],
    ['DPoP secret', 'has a scheme that is not accepted'],
    ['Bearish secret', 'has a scheme that is not accepted'],
  ])('says of %j that it %s, and nothing that it says (AUTH-02, AUTH-15)', (authorization, mistake) => {
    expect(explainAuthorization(authorization)).toBe(
      `A request was refused whose "Authorization" header ${mistake}: send it once, as "Authorization: Bearer <token>"`,
    );
  });
});
