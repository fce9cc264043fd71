import type { OutgoingHttpHeaders } from 'node:http';
import type { RelayedRequest } from '../../../lib/core/explorer/page-contract.js';
import type { RunningApp } from '../applications/boot.js';
import { bootServer, type ServerParts } from '../applications/server.js';
import { Party } from '../authorization/party.js';
import { sendHttp, type RawRequest, type RawResponse } from '../clients/raw-http.js';

/** An authorization server that does as the test says, and a server whose page logs in there. */
export class RelayScene {
  private constructor(
    readonly party: Party,
    readonly desk: RunningApp,
  ) {}

  static async start(parts: ServerParts = {}): Promise<RelayScene> {
    const party = await Party.start();
    const { options, ...others } = parts;
    const auth = { authorizationServers: [party.origin], jwt: {} };
    const all = { publicUrl: 'http://127.0.0.1/mcp', auth, ...options };
    const scene = new RelayScene(party, await bootServer({ ...others, options: all }));
    scene.describe();
    party.at('/reg', (response) => answer(response, 201, { client_id: 'page' }));
    party.at('/token', (response) => answer(response, 200, { access_token: 'given', token_type: 'Bearer' }));
    return scene;
  }

  /** Has the authorization server say other things of itself. */
  describe(members: object = {}): void {
    const { origin } = this.party;
    const metadata = {
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/reg`,
      ...members,
    };
    this.party.at('/.well-known/oauth-authorization-server', (response) => answer(response, 200, metadata));
  }

  /** What the page says of a registration. */
  get registration(): RelayedRequest {
    const body = JSON.stringify({ redirect_uris: [this.desk.url], client_name: 'page' });
    return { issuer: this.party.origin, endpoint: 'registration', url: `${this.party.origin}/reg`, body };
  }

  /** What the page says of a code. */
  get exchange(): RelayedRequest {
    const form = { grant_type: 'authorization_code', code: 'c', redirect_uri: this.desk.url };
    const body = new URLSearchParams(form).toString();
    return { issuer: this.party.origin, endpoint: 'token', url: `${this.party.origin}/token`, body };
  }

  /** Asks as the page does, or with other headers. */
  ask(json: unknown, headers: OutgoingHttpHeaders = {}, request: RawRequest = {}): Promise<RawResponse> {
    return sendHttp(`${this.desk.url}?explorer=login`, {
      ...(request.body === undefined && { json }),
      ...request,
      headers: { ...this.headers, ...headers },
    });
  }

  get headers(): OutgoingHttpHeaders {
    return {
      'content-type': 'application/json',
      origin: this.desk.origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    };
  }

  /** The paths below which something was sent, besides those of the metadata. */
  get reached(): readonly string[] {
    return this.party.paths.filter((path) => !path.startsWith('/.well-known/'));
  }

  async stop(): Promise<void> {
    await this.desk.close();
    await this.party.stop();
  }
}

function answer(response: Parameters<Parameters<Party['at']>[1]>[0], status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
