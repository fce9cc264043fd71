import { isLoopbackUrl, isSecureUrl } from '../oauth/secure-url.js';
import { NEWEST_HANDSHAKE_REVISION, REVISIONS } from '../protocol/revisions.js';
import type { JsonObject } from '../protocol/parse-json-object.js';
import {
  buildCardUrl,
  buildCatalogUrl,
  CARD_MEDIA_TYPE,
  CATALOG_MEDIA_TYPE,
} from '../protocol/server-card.js';
import { isHeaderWord } from '../words/is-header-word.js';
import { AuthorizationFacts } from './authorization-facts.js';
import type { TargetOptions } from './target-options.interface.js';
import { buildSessionHeaders, Introductions, type ProbeMessage } from './probe/messages.js';
import { once } from './probe/once.js';
import type { ProbeAnswer, ProbeRequest, ProbeWire } from './probe/probe-wire.interface.js';
import { ProbeError } from './probe/probe.error.js';
import { findResponse } from './probe/read-message.js';

/** An answer of the endpoint. */
export interface McpAnswer extends ProbeAnswer {
  /** The response of JSON-RPC in it. */
  readonly response: JsonObject | undefined;
  /** The result in that. */
  readonly result: JsonObject | undefined;
  /** The error in that. */
  readonly error: JsonObject | undefined;
}

/** A handshake: what was asked for and what came. */
export interface Handshake {
  readonly asked: string;
  readonly answer: McpAnswer;
}

/** A session that is open at the server. */
export interface OpenSession {
  readonly id: string;
  /** What every request of the session carries. */
  readonly headers: { readonly [name: string]: string };
}

/** How a message is sent. */
export interface SendOptions {
  /** Put over what every message carries. */
  readonly headers?: { readonly [name: string]: string };
  /** Leaves out what says who asks. */
  readonly isAnonymous?: boolean;
}

const BASIC_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** The server that is examined: each fact is asked for once, when a check first wants it. */
export class Target {
  readonly url: URL;
  /** The URL by which clients know it: its documents are compared with that. */
  readonly publicUrl: URL;
  /** What it says of authorization. */
  readonly authorization: AuthorizationFacts;
  /** What it is told of who asks. */
  readonly introductions: Introductions;
  /** The ids of the sessions that were opened here. */
  readonly #sessions = new Set<string>();

  constructor(
    readonly options: TargetOptions,
    private readonly wire: ProbeWire,
  ) {
    const { url, publicUrl = url } = options;
    this.url = url;
    this.publicUrl = publicUrl;
    this.introductions = new Introductions(options.clientInfo);
    this.authorization = new AuthorizationFacts(this);
  }

  /** How the server answers one that it does not know. */
  readonly initializeAnonymously = once(() => this.#sendInitialize(true));

  /** How it answers with the token, or what else says who asks, if there is one. */
  readonly initialize = once(() =>
    this.saysWhoAsks ? this.#sendInitialize(false) : this.initializeAnonymously(),
  );

  /** What it says of itself without a handshake. */
  readonly discovery = once(() => this.send(this.introductions.buildDiscover()));

  /** How it answers the handshake of each revision, newest first. */
  readonly handshakes = once(async () => {
    const handshakes: Handshake[] = [
      { asked: NEWEST_HANDSHAKE_REVISION.version, answer: await this.initialize() },
    ];
    for (const { version, kind } of REVISIONS.toReversed()) {
      if (kind !== 'handshake' || version === NEWEST_HANDSHAKE_REVISION.version) continue;
      handshakes.push({
        asked: version,
        answer: await this.send(this.introductions.buildInitialize(version)),
      });
    }
    return handshakes;
  });

  /** The session of the newest handshake; nothing if it has no id that a header can carry. */
  readonly session = once(async (): Promise<OpenSession | undefined> => {
    const { headers, result } = await this.initialize();
    const id = headers['mcp-session-id'];
    if (result === undefined || !isHeaderWord(id)) return undefined;
    return { id, headers: buildSessionHeaders(id, result['protocolVersion']) };
  });

  /** The standing stream of the session, read until something comes, or why it does not open. */
  readonly stream = once(async (): Promise<ProbeAnswer | ProbeError | undefined> => {
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

  /** What is at the place of its card, for somebody without a token; nothing if nobody answers. A gateway may ask for the headers. */
  readonly card = once(() => {
    const { authorization: _, ...given } = this.options.headers;
    return this.#askForDocument(buildCardUrl(this.url), { ...given, accept: CARD_MEDIA_TYPE });
  });

  /** What is at the place of the catalog of its origin. */
  readonly catalog = once(() =>
    this.#askForDocument(buildCatalogUrl(this.url), { accept: CATALOG_MEDIA_TYPE }),
  );

  /** Tells whether the server lets nobody in without a token that it takes. */
  readonly isClosed = once(async () => [401, 403].includes((await this.initialize()).status));

  /** Tells whether a token is given that may travel to the endpoint. */
  get sendsToken(): boolean {
    return this.options.token !== undefined && isSecureUrl(this.url.href);
  }

  /** Tells whether requests that are not anonymous say who asks: by the token, or by a header that is given. */
  get saysWhoAsks(): boolean {
    return this.sendsToken || this.options.headers['authorization'] !== undefined;
  }

  /** Tells whether the endpoint is on this machine. */
  get isLocal(): boolean {
    return isLoopbackUrl(this.url.href);
  }

  /** Sends a message to the endpoint. */
  async send({ message, headers }: ProbeMessage, options: SendOptions = {}): Promise<McpAnswer> {
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
  request(probe: ProbeRequest, isAnonymous = false): Promise<ProbeAnswer> {
    const { headers } = this.options;
    const { authorization: _, ...others } = headers;
    if (this.sendsToken && !isAnonymous) {
      return this.wire.sendAuthorized(this.url, { ...probe, headers: { ...others, ...probe.headers } });
    }
    const own = isAnonymous ? others : headers;
    return this.wire.send(this.url, { ...probe, headers: { ...own, ...probe.headers } });
  }

  /** Sends a request to another path of the endpoint's origin, without what says who asks. */
  requestAt(path: string, probe: ProbeRequest): Promise<ProbeAnswer> {
    return this.wire.send(new URL(path, this.url), probe);
  }

  /**
   * Fetches a document that the server names, as anybody would.
   *
   * @throws {ProbeError} if no client would ask there
   */
  async fetch(url: string): Promise<ProbeAnswer> {
    if (!isSecureUrl(url)) throw new ProbeError('is not to be asked: its URL is no "https" URL');
    // A server elsewhere has no say in what is asked of this machine.
    if (isLoopbackUrl(url) && !this.isLocal)
      throw new ProbeError('is not to be asked: its URL is of this machine');
    const headers = { accept: 'application/json', origin: this.options.origin };
    return this.wire.send(new URL(url), { method: 'GET', headers });
  }

  /** Gives a message that the server answers and that changes nothing. */
  async selectOpening(): Promise<ProbeMessage> {
    const isServed = (await this.discovery()).result !== undefined;
    const { introductions } = this;
    return isServed
      ? introductions.buildDiscover()
      : introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version);
  }

  /** Ends the sessions that were opened here, as far as the server lets clients do that. */
  async endSessions(): Promise<void> {
    const ends = [...this.#sessions]
      .filter(isHeaderWord)
      .map((id) => this.request({ method: 'DELETE', headers: { 'mcp-session-id': id } }));
    await Promise.allSettled(ends);
  }

  async #askForDocument(url: URL, headers: ProbeRequest['headers']): Promise<ProbeAnswer | undefined> {
    const { origin } = this.options;
    try {
      return await this.wire.send(url, { method: 'GET', headers: { ...headers, origin } });
    } catch (error) {
      if (error instanceof ProbeError) return undefined;
      throw error;
    }
  }

  #sendInitialize(isAnonymous: boolean): Promise<McpAnswer> {
    const message = this.introductions.buildInitialize(NEWEST_HANDSHAKE_REVISION.version);
    return this.send(message, { isAnonymous });
  }
}

function readResponse({ body }: ProbeAnswer): Pick<McpAnswer, 'response' | 'result' | 'error'> {
  const response = findResponse(body);
  return {
    response,
    result: response?.['result'] as JsonObject | undefined,
    error: response?.['error'] as JsonObject | undefined,
  };
}

/** Adds to a fix what to do if clients use another URL than the one that is asked. */
export function addPublicUrl(fix: string, { options }: Target): string {
  const { publicUrl } = options.advice;
  return publicUrl === undefined ? fix : `${fix}. ${publicUrl}`;
}
