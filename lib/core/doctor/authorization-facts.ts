import {
  type DocumentResponse,
  type DocumentResult,
  findServerDocument,
  isNotFound,
  requestDocument,
} from '../oauth/documents.js';
import { findUrl } from '../oauth/secure-url.js';
import { buildResourceMetadataUrl } from '../oauth/metadata.js';
import { type JsonObject, parseJsonObject } from '../protocol/json-rpc.js';
import {
  once,
  ProbeError,
  type ProbeResponse,
  type ResponseHeaders,
  UnreadableError,
} from './probe/probe-wire.js';
import { type BearerFinding, readBearer } from './read-token.js';

/** A JSON document that was requested. */
export interface FetchedDocument {
  readonly url: string;
  readonly document: JsonObject | undefined;
  readonly headers: ResponseHeaders;
  /** What was found instead of the document. */
  readonly problem: string;
  /** Whether the server reports that there is none, so a client tries the next URL. */
  readonly isAbsent: boolean;
  /** Whether a guard responds instead, with 401 or 403. @default false */
  readonly isRefused?: boolean;
  /** Whether it cannot be read from here, such as from a page. @default false */
  readonly isUnreadable?: boolean;
}

/** A protected resource's metadata, at each URL where a client looks for it. */
export interface ResourceMetadataFacts {
  /** At the URL in the challenge, if a client then does not look elsewhere. */
  readonly named: FetchedDocument | undefined;
  /** At the URL with the endpoint path. */
  readonly atPath: FetchedDocument;
  /** At the URL without a path. */
  readonly atRoot: FetchedDocument;
}

/** An authorization server's metadata. */
export interface ServerFacts {
  /** As named in the resource metadata. */
  readonly issuer: string;
  readonly found: { readonly url: string; readonly document: JsonObject } | undefined;
  /** Why a client cannot find it. */
  readonly problem: string;
  /** Whether it cannot be read from here, such as from a page. @default false */
  readonly isUnreadable?: boolean;
  /** How many seconds its clock is ahead of this machine's, if it sends a `Date`. */
  readonly aheadSeconds: number | undefined;
}

/** The facts' source. */
export interface FactSource {
  readonly url: URL;
  /** The URL that clients use for it. */
  readonly publicUrl: URL;
  readonly initializeAnonymously: () => Promise<ProbeResponse>;
  readonly fetch: (url: string) => Promise<ProbeResponse>;
}

/** The number of authorization servers that are examined. */
const MOST_SERVERS = 3;

/** What a server publishes about authorization. */
export class AuthorizationFacts {
  constructor(private readonly source: FactSource) {}

  /** The `Bearer` challenge, and its problem; `undefined` if no token is required. */
  readonly challenge = once(async (): Promise<BearerFinding | undefined> => {
    const { status, headers } = await this.source.initializeAnonymously();
    if (status !== 401) return undefined;
    const { 'www-authenticate': header } = headers;
    if (header === undefined)
      return { challenge: undefined, problem: 'Responds with 401 but without "WWW-Authenticate"' };
    return readBearer(header);
  });

  /** The metadata URL as given in the challenge. */
  readonly metadataUrl = once(async (): Promise<string | undefined> => {
    const found = await this.challenge();
    return found?.challenge?.parameters.get('resource_metadata') || undefined;
  });

  /** The resource metadata; nothing if no token is required. */
  readonly resourceMetadata = once(async (): Promise<ResourceMetadataFacts | undefined> => {
    if ((await this.challenge()) === undefined) return undefined;
    const { url } = this.source;
    return {
      named: await this.#fetchNamed(),
      atPath: await this.#fetch(buildResourceMetadataUrl(url.href)),
      atRoot: await this.#fetch(buildResourceMetadataUrl(url.origin)),
    };
  });

  /** The resource metadata that a client uses: it tries the root only if the path definitely has none. */
  readonly resource = once(async (): Promise<FetchedDocument | undefined> => {
    const facts = await this.resourceMetadata();
    if (facts === undefined) return undefined;
    const { named, atPath, atRoot } = facts;
    const taken = named ?? (atPath.isAbsent ? atRoot : atPath);
    return taken.document === undefined ? undefined : taken;
  });

  /** Whether a token is required, but nothing claims to offer a login that issues one. */
  readonly isWithoutLogin = once(async (): Promise<boolean> => {
    const found = await this.challenge();
    if (found?.challenge === undefined || found.problem !== undefined) return false;
    if ((await this.metadataUrl()) !== undefined) return false;
    const facts = await this.resourceMetadata();
    return facts !== undefined && facts.atPath.isAbsent && facts.atRoot.isAbsent;
  });

  /** Whether the metadata advertises key-bound tokens. */
  readonly acceptsProofs = once(async (): Promise<boolean> => {
    const algorithms = (await this.resource())?.document?.['dpop_signing_alg_values_supported'];
    return Array.isArray(algorithms) && algorithms.length > 0;
  });

  /** The first authorization servers that the resource names. */
  readonly servers = once(async (): Promise<readonly ServerFacts[]> => {
    const named = (await this.resource())?.document?.['authorization_servers'];
    if (!Array.isArray(named)) return [];
    const issuers = named.filter((one): one is string => typeof one === 'string' && URL.canParse(one));
    return Promise.all(issuers.slice(0, MOST_SERVERS).map((issuer) => this.#findServer(issuer)));
  });

  /** Fetches a server's keys. */
  fetchKeys(url: string): Promise<FetchedDocument> {
    return this.#fetch(url);
  }

  /**
   * A well-formed challenge names the only URL to try. The URL in a malformed one is a hint, which is ignored if
   * nothing is found there.
   */
  async #fetchNamed(): Promise<FetchedDocument | undefined> {
    const text = (await this.metadataUrl()) ?? '';
    const url = text === '' ? undefined : findUrl(text, this.source.publicUrl);
    if (url === undefined) return undefined;
    const fetched = await this.#fetch(this.#findPlace(url));
    const isHint = findUrl(text) === undefined || (await this.challenge())?.isMalformed === true;
    return isHint && fetched.document === undefined ? undefined : fetched;
  }

  /** A URL at the public origin is requested from the examined endpoint, because a proxy would forward it there. */
  #findPlace(named: URL): string {
    const { url, publicUrl } = this.source;
    if (named.origin !== publicUrl.origin) return named.href;
    if (named.href === buildResourceMetadataUrl(publicUrl.href)) return buildResourceMetadataUrl(url.href);
    return new URL(`${named.pathname}${named.search}`, url).href;
  }

  async #findServer(issuer: string): Promise<ServerFacts> {
    let aheadSeconds: number | undefined;
    try {
      const get = async (url: string) => {
        const answer = await this.source.fetch(url);
        ({ aheadSeconds } = answer);
        return readAnswer(answer);
      };
      const { found, problems, doubt } = await findServerDocument(issuer, get);
      return { issuer, found, problem: (doubt ?? problems.at(-1))?.problem ?? '', aheadSeconds };
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      const isUnreadable = error instanceof UnreadableError;
      return { issuer, found: undefined, problem: error.reason, isUnreadable, aheadSeconds };
    }
  }

  async #fetch(url: string): Promise<FetchedDocument> {
    let headers: ResponseHeaders = {};
    const get = async (place: string) => {
      const answer = await this.source.fetch(place);
      headers = answer.headers;
      return readAnswer(answer);
    };
    try {
      return describe(await requestDocument(url, get), headers);
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      const isUnreadable = error instanceof UnreadableError;
      return { url, document: undefined, headers: {}, problem: error.reason, isAbsent: false, isUnreadable };
    }
  }
}

function readAnswer({ status, body, headers }: ProbeResponse): DocumentResponse {
  return { status, location: headers['location'], document: parseJsonObject(body) };
}

function describe(reply: DocumentResult, headers: ResponseHeaders): FetchedDocument {
  const problem = reply.document === undefined ? reply.problem : '';
  const isRefused = reply.status === 401 || reply.status === 403;
  return {
    url: reply.url,
    document: reply.document,
    headers,
    problem,
    isAbsent: isNotFound(reply),
    isRefused,
  };
}
