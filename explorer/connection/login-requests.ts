import { BODILESS } from '../../lib/core/network/limited-fetch.js';
import {
  LOGIN_RELAY_QUERY,
  type LoginEndpoint,
  type RelayedResponse,
  type RelayedRequest,
  type RelayProblem,
} from '../../lib/core/explorer/page-contract.js';
import { buildServerMetadataUrls } from '../../lib/core/oauth/metadata.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { readFacts } from '../facts.js';
import { LoginRequestError, type LoginRefusal } from './login-failure.js';
import type { LoginRecords } from './login-record.js';
import { sendLimited } from './send-limited.js';

/** A login request, and its recipient. */
interface LoginTarget {
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  readonly url: URL;
}

/**
 * Sends login requests from the browser, or through the page's server if the authorization server does not allow
 * cross-origin requests.
 */
export class LoginRequests {
  readonly #facts = readFacts();
  #refusal: LoginRefusal | undefined;

  constructor(
    private readonly endpoint: URL,
    private readonly records: LoginRecords,
  ) {}

  /** The latest refusal since {@link begin}. */
  get refusal(): LoginRefusal | undefined {
    return this.#refusal;
  }

  /** Removes an earlier login's refusals. */
  begin(): void {
    this.#refusal = undefined;
  }

  /** @throws {LoginRequestError} if there is no response */
  readonly send = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const target = this.#findTarget(new URL(input));
    if (target === undefined) return sendLimited(input, init);
    const response = await this.#sendTo(target, init);
    if (target.endpoint !== 'metadata' && !response.ok) this.#refusal = await readRefusal(target, response);
    return response;
  };

  /**
   * Checks before the login whether the page may read the response with the tokens, because a browser would send the
   * code first and then block the response. The request contains no code, so the authorization server rejects it.
   *
   * @throws {LoginRequestError} if neither the page nor its server can fetch the tokens
   */
  async tryToken(clientId: string): Promise<void> {
    const { token_endpoint: url } = this.records.read().discovery?.authorizationServerMetadata ?? {};
    const target = url === undefined ? undefined : this.#findTarget(new URL(url));
    if (target === undefined || this.records.read().isRelayed === true) return;
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: clientId });
    if ((await this.#sendDirectly(target, { method: 'POST', body })) !== undefined) return;
    if (!this.#facts.relaysLogin) throw await this.#explain(target);
    this.records.write({ isRelayed: true });
  }

  async #sendTo(target: LoginTarget, init: RequestInit): Promise<Response> {
    if (this.records.read().isRelayed !== true) {
      const response = await this.#sendDirectly(target, init);
      if (response !== undefined) return response;
      if (!this.#facts.relaysLogin) throw await this.#explain(target);
    }
    const response = await this.#relay(target, init);
    this.records.write({ isRelayed: true });
    return response;
  }

  /**
   * Returns `undefined` if the browser blocks the response, or there is none. The page cannot distinguish these
   * cases.
   */
  async #sendDirectly({ url }: LoginTarget, init: RequestInit): Promise<Response | undefined> {
    if (!this.#mayAsk(url)) return undefined;
    try {
      return await sendLimited(url, { ...init, credentials: 'omit' });
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  async #relay(target: LoginTarget, { headers: given, body }: RequestInit): Promise<Response> {
    const { issuer, endpoint, url } = target;
    const headers = new Headers(given);
    const [dpop, authorization] = [headers.get('dpop'), headers.get('authorization')];
    const request: RelayedRequest = {
      issuer,
      endpoint,
      ...(endpoint !== 'metadata' && { url: url.href, body: await new Response(body).text() }),
      ...(dpop !== null && { dpop }),
      ...(authorization !== null && { authorization }),
    };
    const answer = await this.#askServer(request).catch(() => undefined);
    if (answer !== undefined && 'status' in answer) return buildResponse(answer);
    const problem = answer?.problem ?? 'it did not send the request';
    const reason = `this page cannot send it itself (CORS, or no response), and the page's server reports: ${problem}`;
    throw new LoginRequestError(endpoint, url.href, reason);
  }

  /**
   * The request includes this origin's cookies, which the page's guard may need. They are not forwarded to the
   * authorization server.
   */
  async #askServer(request: RelayedRequest): Promise<RelayedResponse | RelayProblem | undefined> {
    const response = await sendLimited(`${this.endpoint.pathname}${LOGIN_RELAY_QUERY}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      credentials: 'same-origin',
    });
    const answer: unknown = await response.json();
    if (!isObject(answer)) return undefined;
    const isAnswer = typeof answer['status'] === 'number' && typeof answer['body'] === 'string';
    return isAnswer || typeof answer['problem'] === 'string'
      ? (answer as unknown as RelayedResponse)
      : undefined;
  }

  /** Distinguishes an unreachable server from one without CORS: only the former fails an opaque request too. */
  async #explain({ endpoint, url }: LoginTarget): Promise<LoginRequestError> {
    if (!this.#mayAsk(url))
      return new LoginRequestError(
        endpoint,
        url.href,
        'it is at an origin to which this page does not send requests',
      );
    const isThere = await fetch(url.origin, { mode: 'no-cors', credentials: 'omit' }).then(
      () => true,
      () => false,
    );
    const reason = isThere
      ? `it does not allow requests from ${location.origin} (CORS)`
      : 'no server responds at its address';
    return new LoginRequestError(endpoint, url.href, reason);
  }

  /** The page's Content Security Policy blocks all other origins. */
  #mayAsk({ origin }: URL): boolean {
    return this.#facts.issuers.some((issuer) => new URL(issuer).origin === origin);
  }

  #findTarget(url: URL): LoginTarget | undefined {
    const { issuers } = this.#facts;
    const issuer = issuers.find((one) => buildServerMetadataUrls(one).includes(url.href));
    if (issuer !== undefined) return { issuer, endpoint: 'metadata', url };
    const { authorizationServerUrl, authorizationServerMetadata: metadata } =
      this.records.read().discovery ?? {};
    const known = issuers.find((one) => one === authorizationServerUrl || one === metadata?.issuer);
    if (known === undefined) return undefined;
    if (isSame(url, metadata?.token_endpoint)) return { issuer: known, endpoint: 'token', url };
    if (isSame(url, metadata?.registration_endpoint)) return { issuer: known, endpoint: 'registration', url };
    return undefined;
  }
}

function isSame({ href }: URL, other: string | undefined): boolean {
  return other !== undefined && new URL(other).href === href;
}

function buildResponse({ status, body, dpopNonce }: RelayedResponse): Response {
  const headers = {
    'content-type': 'application/json',
    ...(dpopNonce !== undefined && { 'dpop-nonce': dpopNonce }),
  };
  return new Response(BODILESS.has(status) ? null : body, { status, headers });
}

async function readRefusal({ endpoint }: LoginTarget, response: Response): Promise<LoginRefusal> {
  const { status } = response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const { error, error_description: description } = isObject(body) ? body : {};
  return {
    endpoint,
    status,
    ...(typeof error === 'string' && { error }),
    ...(typeof description === 'string' && { description }),
  };
}
