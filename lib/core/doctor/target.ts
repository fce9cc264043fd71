import { AuthorizationFacts } from './authorization-facts.js';
import {
  buildSessionHeaders,
  OpeningMessages,
  type ProbeClient,
  type ProbeMessage,
} from './probe/messages.js';
import {
  findResponse,
  once,
  ProbeError,
  type ProbeRequest,
  type ProbeResponse,
  type ProbeWire,
} from './probe/probe-wire.js';
import { isLoopbackUrl, isSecureUrl } from '../oauth/secure-url.js';
import type { JsonObject } from '../protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION, REVISIONS } from '../protocol/revisions.js';
import {
  buildCardUrl,
  buildCatalogUrl,
  CARD_MEDIA_TYPE,
  CATALOG_MEDIA_TYPE,
} from '../protocol/server-card.js';
import { isHeaderWord } from '../words/words.js';

/** The server to examine, and how to do it. */
export interface TargetOptions {
  /** The endpoint. */
  readonly url: URL;
  /** The URL that clients use for the endpoint. @default `url` */
  readonly publicUrl?: URL | undefined;
  /** The client name and version to report to the server. */
  readonly clientInfo: ProbeClient;
  /** An access token. */
  readonly token: string | undefined;
  /** Whether it belongs to the stored login. @default false */
  readonly isTokenStored?: boolean;
  /** Whether the key that the token is bound to is available. @default false */
  readonly hasProof?: boolean;
  /** The time limit for each response, in milliseconds. */
  readonly timeoutMs: number;
  /** Sent to the endpoint with every request. */
  readonly headers: { readonly [name: string]: string };
  /** The origin of the web page that should be able to call the server. */
  readonly origin: string;
  /** How to get a token, phrased to end a suggested fix. */
  readonly advice: TokenAdvice;
  /** The health probes' paths. @default the paths in docs/health.md */
  readonly probes?: readonly string[] | undefined;
}

/** How to get a token, which depends on where the examination runs. */
export interface TokenAdvice {
  /** If there is none. */
  readonly none: string;
  /** If the token is bound to a key that is not available. */
  readonly bound: string;
  /** If the endpoint names a URL other than the examined one. @default nothing */
  readonly publicUrl?: string;
}

/** A response from the endpoint. */
export interface McpResponse extends ProbeResponse {
  /** The JSON-RPC response in it. */
  readonly response: JsonObject | undefined;
  /** The result in that response. */
  readonly result: JsonObject | undefined;
  /** The error in that response. */
  readonly error: JsonObject | undefined;
}

/** An initialization: the requested version, and the response. */
export interface Handshake {
  readonly requested: string;
  readonly response: McpResponse;
}

/** A session that is open on the server. */
export interface OpenSession {
  readonly id: string;
  /** The headers for every request in the session. */
  readonly headers: { readonly [name: string]: string };
}

/** How to send a message. */
export interface SendOptions {
  /** Override the common headers. */
  readonly headers?: { readonly [name: string]: string };
  /** Leaves out the credentials. */
  readonly isAnonymous?: boolean;
}

const BASIC_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** The examined server. Each fact is fetched once, when a check first needs it. */
export class Target {
  readonly url: URL;
  /** The URL that clients use for it. Its documents are compared with this URL. */
  readonly publicUrl: URL;
  /** The authorization metadata that it publishes. */
  readonly authorization: AuthorizationFacts;
  /** Builds the messages that introduce the client. */
  readonly introductions: OpeningMessages;
  /** The IDs of the sessions opened here. */
  readonly #sessions = new Set<string>();

  constructor(
    readonly options: TargetOptions,
    private readonly wire: ProbeWire,
  ) {
    const { url, publicUrl = url } = options;
    this.url = url;
    this.publicUrl = publicUrl;
    this.introductions = new OpeningMessages(options.clientInfo);
    this.authorization = new AuthorizationFacts(this);
  }

  /** The response to an unauthenticated initialization. */
  readonly initializeAnonymously = once(() => this.#sendInitialize(true));

  /** The response to an initialization with credentials, if there are any. */
  readonly initialize = once(() =>
    this.sendsCredentials ? this.#sendInitialize(false) : this.initializeAnonymously(),
  );

  /** The response to `server/discover`. */
  readonly discovery = once(() => this.send(this.introductions.buildDiscover()));

  /** The responses to each revision's initialization, newest first. */
  readonly handshakes = once(async () => {
    const handshakes: Handshake[] = [
      { requested: NEWEST_HANDSHAKE_REVISION.version, response: await this.initialize() },
    ];
    for (const { version, kind } of REVISIONS.toReversed()) {
      if (kind !== 'handshake' || version === NEWEST_HANDSHAKE_REVISION.version) continue;
      handshakes.push({
        requested: version,
        response: await this.send(this.introductions.buildInitialize(version)),
      });
    }
    return handshakes;
  });

  /** The session from the newest initialization; `undefined` without an ID that fits in a header. */
  readonly session = once(async (): Promise<OpenSession | undefined> => {
    const { headers, result } = await this.initialize();
    const id = headers['mcp-session-id'];
    if (result === undefined || !isHeaderWord(id)) return undefined;
    return { id, headers: buildSessionHeaders(id, result['protocolVersion']) };
  });

  /** The session's standalone SSE stream, read until the first data arrives, or why it does not open. */
  readonly stream = once(async (): Promise<ProbeResponse | ProbeError | undefined> => {
    const session = await this.session();
    if (session === undefined) return undefined;
    const headers = {
      ...session.headers,
      accept: 'text/event-stream',
      'accept-encoding': 'gzip, deflate, br',
    };
    try {
      return await this.request({ method: 'GET', headers, isEnough: (body) => body !== '' });
    } catch (error) {
      if (error instanceof ProbeError) return error;
      throw error;
    }
  });

  /**
   * The response at its card's URL, without a token; `undefined` without a response. Headers for a gateway are sent.
   */
  readonly card = once(() => {
    const { authorization: _, ...given } = this.options.headers;
    return this.#askForDocument(buildCardUrl(this.url), { ...given, accept: CARD_MEDIA_TYPE });
  });

  /** The response at its origin's catalog URL. */
  readonly catalog = once(() =>
    this.#askForDocument(buildCatalogUrl(this.url), { accept: CATALOG_MEDIA_TYPE }),
  );

  /** Whether the server refuses every request without a valid token. */
  readonly isClosed = once(async () => [401, 403].includes((await this.initialize()).status));

  /** Whether there is a token that may be sent to the endpoint. */
  get sendsToken(): boolean {
    return this.options.token !== undefined && isSecureUrl(this.url.href);
  }

  /** Whether requests carry credentials unless they are anonymous: the token, or a configured header. */
  get sendsCredentials(): boolean {
    return this.sendsToken || this.options.headers['authorization'] !== undefined;
  }

  /** Whether the endpoint is on this machine. */
  get isLocal(): boolean {
    return isLoopbackUrl(this.url.href);
  }

  /** Sends a message to the endpoint. */
  async send({ message, headers }: ProbeMessage, options: SendOptions = {}): Promise<McpResponse> {
    const answer = await this.request(
      {
        method: 'POST',
        headers: { ...BASIC_HEADERS, ...headers, ...options.headers },
        body: JSON.stringify(message),
        isEnough: (body, { 'content-type': type = '' }) =>
          type.startsWith('text/event-stream') && findResponse(body) !== undefined,
      },
      options.isAnonymous,
    );
    const id = answer.headers['mcp-session-id'];
    if (message['method'] === 'initialize' && typeof id === 'string') this.#sessions.add(id);
    return { ...answer, ...readResponse(answer) };
  }

  /** Sends any request to the endpoint. */
  request(probe: ProbeRequest, isAnonymous = false): Promise<ProbeResponse> {
    const { headers } = this.options;
    const { authorization: _, ...others } = headers;
    if (this.sendsToken && !isAnonymous) {
      return this.wire.sendAuthorized(this.url, { ...probe, headers: { ...others, ...probe.headers } });
    }
    const own = isAnonymous ? others : headers;
    return this.wire.send(this.url, { ...probe, headers: { ...own, ...probe.headers } });
  }

  /** Sends a request to another path at the endpoint's origin, without credentials. */
  requestAt(path: string, probe: ProbeRequest): Promise<ProbeResponse> {
    return this.wire.send(new URL(path, this.url), probe);
  }

  /**
   * Fetches a document that the server names, without credentials.
   *
   * @throws {ProbeError} if no client would request it
   */
  async fetch(url: string): Promise<ProbeResponse> {
    if (!isSecureUrl(url)) throw new ProbeError('is not requested: its URL is not an "https" URL');
    // A remote server must not decide what is requested on this machine.
    if (isLoopbackUrl(url) && !this.isLocal)
      throw new ProbeError('is not requested: its URL points to this machine');
    const headers = { accept: 'application/json', origin: this.options.origin };
    return this.wire.send(new URL(url), { method: 'GET', headers });
  }

  /** Selects a message that the server supports and that changes nothing. */
  async selectOpening(): Promise<ProbeMessage> {
    const isServed = (await this.discovery()).result !== undefined;
    const { introductions } = this;
    return isServed
      ? introductions.buildDiscover()
      : introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version);
  }

  /** Ends the sessions opened here, if the server allows it. */
  async endSessions(): Promise<void> {
    const ends = [...this.#sessions]
      .filter(isHeaderWord)
      .map((id) => this.request({ method: 'DELETE', headers: { 'mcp-session-id': id } }));
    await Promise.allSettled(ends);
  }

  async #askForDocument(url: URL, headers: ProbeRequest['headers']): Promise<ProbeResponse | undefined> {
    const { origin } = this.options;
    try {
      return await this.wire.send(url, { method: 'GET', headers: { ...headers, origin } });
    } catch (error) {
      if (error instanceof ProbeError) return undefined;
      throw error;
    }
  }

  #sendInitialize(isAnonymous: boolean): Promise<McpResponse> {
    const message = this.introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version);
    return this.send(message, { isAnonymous });
  }
}

function readResponse({ body }: ProbeResponse): Pick<McpResponse, 'response' | 'result' | 'error'> {
  const response = findResponse(body);
  return {
    response,
    result: response?.['result'] as JsonObject | undefined,
    error: response?.['error'] as JsonObject | undefined,
  };
}

/** Adds advice to a fix, in case clients use a URL other than the examined one. */
export function addPublicUrl(fix: string, { options }: Target): string {
  const { publicUrl } = options.advice;
  return publicUrl === undefined ? fix : `${fix}. ${publicUrl}`;
}
