import { AuthorizedCall } from '../../lib/client/authorization/authorized-call.js';
import { createProvingHttp, DpopKey, DpopProof } from '../../lib/client/authorization/dpop.js';
import { TokenProvider } from '../../lib/client/authorization/token-provider.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { isBound, type LoginRecord, type LoginRecords } from './login-record.js';
import type { LoginRequests } from './login-requests.js';
import { sendLimited } from './send-limited.js';

/**
 * Binds tokens to a key if the server requires it. The key cannot be exported, is not stored, and is lost with the
 * page.
 *
 * @see RFC 9449
 */
export class Binding {
  #proof: DpopProof | undefined;

  constructor(
    private readonly endpoint: URL,
    private readonly records: LoginRecords,
    private readonly requests: Pick<LoginRequests, 'send'>,
  ) {}

  /** Sends a login request. Token requests have a proof if tokens should be bound to a key. */
  readonly sendLogin = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const { discovery } = this.records.read();
    const { token_endpoint: endpoint } = discovery?.authorizationServerMetadata ?? {};
    const isForTokens = endpoint !== undefined && new URL(url).href === new URL(endpoint).href;
    if (!isForTokens || !bindsTokens(discovery)) return this.requests.send(url, init);
    this.#proof ??= new DpopProof(await DpopKey.generate({ algorithm: selectAlgorithm(discovery) }));
    const send = createProvingHttp(
      (target, request) => this.requests.send(target, request as RequestInit),
      this.#proof,
    );
    const response = await send(String(url), init);
    // The proof's nonce is known only now.
    return (await wantsNonce(response)) ? send(String(url), init) : response;
  };

  /** Sends a request to the endpoint, with a proof if the token is bound. */
  async send(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const { tokens, typedToken } = this.records.read();
    const proof = this.#proof;
    if (proof === undefined || typedToken !== undefined || !isBound(tokens)) return sendLimited(url, init);
    const provider = new TokenProvider({ token: () => Promise.resolve(tokens.access_token), proof });
    return new AuthorizedCall({
      serverUrl: this.endpoint.href,
      tokens: provider,
      send: sendLimited,
      input: url,
      init,
    }).run();
  }
}

function bindsTokens(discovery: LoginRecord['discovery']): discovery is NonNullable<typeof discovery> {
  return discovery?.resourceMetadata?.dpop_bound_access_tokens_required === true;
}

/** The algorithms that browsers support, shortest signatures first. */
const ALGORITHMS = ['ES256', 'EdDSA', 'ES384', 'ES512', 'PS256', 'RS256'];

function selectAlgorithm({
  resourceMetadata,
  authorizationServerMetadata,
}: NonNullable<LoginRecord['discovery']>): string {
  const lists = [resourceMetadata, authorizationServerMetadata]
    .map((document: unknown) =>
      isObject(document) ? document['dpop_signing_alg_values_supported'] : undefined,
    )
    .filter((list) => Array.isArray(list));
  return ALGORITHMS.find((one) => lists.every((list) => list.includes(one))) ?? 'ES256';
}

async function wantsNonce(response: Response): Promise<boolean> {
  if (response.ok || !response.headers.has('dpop-nonce')) return false;
  const refusal: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return isObject(refusal) && refusal['error'] === 'use_dpop_nonce';
}
