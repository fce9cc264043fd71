import {
  askForDocument,
  type DocumentAnswer,
  type DocumentReply,
} from '../oauth/documents/ask-for-document.js';
import { isAbsent } from '../oauth/documents/find-resource-document.js';
import { findServerDocument } from '../oauth/documents/find-server-document.js';
import { findUrl } from '../oauth/find-url.js';
import { buildResourceMetadataUrl } from '../oauth/well-known.js';
import { parseJsonObject, type JsonObject } from '../protocol/parse-json-object.js';
import { once } from './probe/once.js';
import type { AnswerHeaders, ProbeAnswer } from './probe/probe-wire.interface.js';
import { ProbeError, UnseenError } from './probe/probe.error.js';
import { readBearer, type BearerFinding } from './read-bearer.js';

/** A JSON document that was asked for. */
export interface FetchedDocument {
  readonly url: string;
  readonly document: JsonObject | undefined;
  readonly headers: AnswerHeaders;
  /** What was found instead of the document. */
  readonly complaint: string;
  /** Whether the server says that there is none, so that a client looks in the next place. */
  readonly isAbsent: boolean;
  /** Whether a guard answers instead, with 401 or 403. @default false */
  readonly isRefused?: boolean;
  /** Whether it is nothing to look at from here. @default false */
  readonly isUnseen?: boolean;
}

/** The metadata of a protected resource, wherever a client looks for it. */
export interface ResourceMetadataFacts {
  /** Where the challenge says that it is, if a client looks nowhere else then. */
  readonly named: FetchedDocument | undefined;
  /** At the URL with the path of the endpoint. */
  readonly atPath: FetchedDocument;
  /** At the URL without a path. */
  readonly atRoot: FetchedDocument;
}

/** The metadata of an authorization server. */
export interface ServerFacts {
  /** As the resource names it. */
  readonly issuer: string;
  readonly found: { readonly url: string; readonly document: JsonObject } | undefined;
  /** What keeps a client from finding it. */
  readonly complaint: string;
  /** Whether it is nothing to look at from here. @default false */
  readonly isUnseen?: boolean;
  /** By how many seconds its clock is ahead of this machine's, if it says its time. */
  readonly aheadSeconds: number | undefined;
}

/** What the facts are asked of. */
export interface FactSource {
  readonly url: URL;
  /** The URL by which clients know it. */
  readonly publicUrl: URL;
  readonly initializeAnonymously: () => Promise<ProbeAnswer>;
  readonly fetch: (url: string) => Promise<ProbeAnswer>;
}

/** What is examined of a server that names more. */
const MOST_SERVERS = 3;

/** What a server says of authorization, to anybody. */
export class AuthorizationFacts {
  constructor(private readonly source: FactSource) {}

  /** The `Bearer` challenge, and what is wrong with it; nothing if no token is asked for. */
  readonly challenge = once(async (): Promise<BearerFinding | undefined> => {
    const { status, headers } = await this.source.initializeAnonymously();
    if (status !== 401) return undefined;
    const { 'www-authenticate': header } = headers;
    if (header === undefined)
      return { challenge: undefined, fault: 'Answers 401 without "WWW-Authenticate"' };
    return readBearer(header);
  });

  /** Where the challenge says that the metadata is, as it says it. */
  readonly metadataUrl = once(async (): Promise<string | undefined> => {
    const found = await this.challenge();
    return found?.challenge?.parameters.get('resource_metadata') || undefined;
  });

  /** The metadata of the resource; nothing if no token is asked for. */
  readonly resourceMetadata = once(async (): Promise<ResourceMetadataFacts | undefined> => {
    if ((await this.challenge()) === undefined) return undefined;
    const { url } = this.source;
    return {
      named: await this.#fetchNamed(),
      atPath: await this.#fetch(buildResourceMetadataUrl(url.href)),
      atRoot: await this.#fetch(buildResourceMetadataUrl(url.origin)),
    };
  });

  /** What a client takes for the metadata of the resource: it looks at the root only if the path definitely has none. */
  readonly resource = once(async (): Promise<FetchedDocument | undefined> => {
    const facts = await this.resourceMetadata();
    if (facts === undefined) return undefined;
    const { named, atPath, atRoot } = facts;
    const taken = named ?? (atPath.isAbsent ? atRoot : atPath);
    return taken.document === undefined ? undefined : taken;
  });

  /** Tells whether a token is asked for, and nothing claims to say where a login gives one. */
  readonly isWithoutLogin = once(async (): Promise<boolean> => {
    const found = await this.challenge();
    if (found?.challenge === undefined || found.fault !== undefined) return false;
    if ((await this.metadataUrl()) !== undefined) return false;
    const facts = await this.resourceMetadata();
    return facts !== undefined && facts.atPath.isAbsent && facts.atRoot.isAbsent;
  });

  /** Tells whether the metadata says that tokens may be bound to a key. */
  readonly takesProofs = once(async (): Promise<boolean> => {
    const algorithms = (await this.resource())?.document?.['dpop_signing_alg_values_supported'];
    return Array.isArray(algorithms) && algorithms.length > 0;
  });

  /** The authorization servers that the resource names, the first ones. */
  readonly servers = once(async (): Promise<readonly ServerFacts[]> => {
    const named = (await this.resource())?.document?.['authorization_servers'];
    if (!Array.isArray(named)) return [];
    const issuers = named.filter((one): one is string => typeof one === 'string' && URL.canParse(one));
    return Promise.all(issuers.slice(0, MOST_SERVERS).map((issuer) => this.#findServer(issuer)));
  });

  /** Fetches the keys of a server. */
  fetchKeys(url: string): Promise<FetchedDocument> {
    return this.#fetch(url);
  }

  /** A URL that a well-formed challenge names is the only place to look; what a broken one names is as good as none if nothing is there. */
  async #fetchNamed(): Promise<FetchedDocument | undefined> {
    const text = (await this.metadataUrl()) ?? '';
    const url = text === '' ? undefined : findUrl(text, this.source.publicUrl);
    if (url === undefined) return undefined;
    const fetched = await this.#fetch(this.#findPlace(url));
    const isHint = findUrl(text) === undefined || (await this.challenge())?.isMalformed === true;
    return isHint && fetched.document === undefined ? undefined : fetched;
  }

  /** What clients find at the public URL is asked of the endpoint that is examined, which a proxy would pass it on to. */
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
      const { found, faults, doubt } = await findServerDocument(issuer, get);
      return { issuer, found, complaint: (doubt ?? faults.at(-1))?.fault ?? '', aheadSeconds };
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      const isUnseen = error instanceof UnseenError;
      return { issuer, found: undefined, complaint: error.reason, isUnseen, aheadSeconds };
    }
  }

  async #fetch(url: string): Promise<FetchedDocument> {
    let headers: AnswerHeaders = {};
    const get = async (place: string) => {
      const answer = await this.source.fetch(place);
      headers = answer.headers;
      return readAnswer(answer);
    };
    try {
      return describe(await askForDocument(url, get), headers);
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      const isUnseen = error instanceof UnseenError;
      return { url, document: undefined, headers: {}, complaint: error.reason, isAbsent: false, isUnseen };
    }
  }
}

function readAnswer({ status, body, headers }: ProbeAnswer): DocumentAnswer {
  return { status, location: headers['location'], document: parseJsonObject(body) };
}

function describe(reply: DocumentReply, headers: AnswerHeaders): FetchedDocument {
  const complaint = reply.document === undefined ? reply.fault : '';
  const isRefused = reply.status === 401 || reply.status === 403;
  return {
    url: reply.url,
    document: reply.document,
    headers,
    complaint,
    isAbsent: isAbsent(reply),
    isRefused,
  };
}
