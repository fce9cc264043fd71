import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthorizedFetch, type RequestProof, type RequestToProve } from 'nestjs-mcp/client';
import { json, Party, status } from '../../support/authorization/party.js';

const WANTS_NONCE = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'nonce-1' };

/** Writes down what it is asked to prove, in the place of a signature. */
class WrittenProof implements RequestProof {
  readonly proven: RequestToProve[] = [];
  nonce = 'none';

  async buildHeaders(request: RequestToProve) {
    this.proven.push(request);
    return { authorization: `DPoP ${request.token}`, dpop: `${this.proven.length} ${this.nonce}` };
  }

  heedAnswer(_url: string, headers: Headers): void {
    this.nonce = headers.get('dpop-nonce') ?? this.nonce;
  }
}

let server: Party;
let proof: WrittenProof;
let call: typeof fetch;

beforeEach(async () => {
  server = await Party.start();
  proof = new WrittenProof();
  const tokenSource = { token: async () => 'bound', proof };
  call = createAuthorizedFetch({ serverUrl: `${server.origin}/mcp`, tokenSource });
});
afterEach(() => server.stop());

const sentProofs = () => server.requests.map(({ headers }) => headers['dpop']);

describe('Calls with a bound token (RFC 9449 §7)', () => {
  it('carry a proof of their own (CLI-19)', async () => {
    server.at('/mcp', json({}));
    await call(`${server.origin}/mcp`, { method: 'post', body: '{}' });
    await call(`${server.origin}/mcp?a=1`);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['DPoP bound', 'DPoP bound']);
    expect(sentProofs()).toEqual(['1 none', '2 none']);
    expect(proof.proven).toEqual([
      { method: 'POST', url: `${server.origin}/mcp`, token: 'bound' },
      { method: 'GET', url: `${server.origin}/mcp?a=1`, token: 'bound' },
    ]);
  });

  it('are sent again with the nonce that the server wants (CLI-19)', async () => {
    server.at('/mcp', (response, seen) => {
      const hasNonce = String(seen.headers['dpop']).endsWith('nonce-1');
      (hasNonce ? json({}, 200) : status(401, WANTS_NONCE))(response, seen);
    });
    await expect(call(`${server.origin}/mcp`)).resolves.toHaveProperty('status', 200);
    expect(sentProofs()).toEqual(['1 none', '2 nonce-1']);
  });

  it('are left to the caller where the server wants another nonce each time (CLI-12) (CLI-19)', async () => {
    server.at('/mcp', status(401, WANTS_NONCE));
    await expect(call(`${server.origin}/mcp`)).resolves.toHaveProperty('status', 401);
    expect(sentProofs()).toEqual(['1 none', '2 nonce-1']);
  });

  it('use the nonce of a call that went well for the next one (CLI-19)', async () => {
    server.at('/mcp', (response, seen) => {
      response.setHeader('dpop-nonce', 'nonce-2');
      json({})(response, seen);
    });
    await call(`${server.origin}/mcp`);
    await call(`${server.origin}/mcp`);
    expect(sentProofs()).toEqual(['1 none', '2 nonce-2']);
  });

  it('carry no proof elsewhere (CLI-13) (CLI-19)', async () => {
    await call(`${server.origin}/other`);
    expect(sentProofs()).toEqual([undefined]);
  });
});
