import { createAuthorizedFetch, type TokenSource } from 'nestjs-mcp/client';
import { ProtectedParty } from './protected-party.js';
import { TokenParty } from './token-party.js';

/** A server that wants tokens, and who gives them to programs. */
export class GrantScene {
  private constructor(
    readonly server: ProtectedParty,
    readonly issuer: TokenParty,
  ) {
    server.issuer = issuer.issuer;
    server.findScopes = issuer.findScopes;
  }

  static async start(): Promise<GrantScene> {
    return new GrantScene(await ProtectedParty.start(), await TokenParty.start());
  }

  /** Calls the server with what a source gives; a path below that of the server may follow. */
  async call(tokenSource: TokenSource, path = ''): Promise<number> {
    const fetch = createAuthorizedFetch({ serverUrl: this.server.url, tokenSource });
    const response = await fetch(this.server.url + path, { method: 'POST', body: '{}' });
    await response.body?.cancel();
    return response.status;
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.party.stop(), this.issuer.stop()]);
  }
}
