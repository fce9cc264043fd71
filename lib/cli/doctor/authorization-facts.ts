import type { Challenge } from '../../core/oauth/parse-challenges.js';
import { buildResourceMetadataUrl, buildServerMetadataUrls } from '../../core/oauth/well-known.js';
import { parseJsonObject, type JsonObject } from '../../core/protocol/parse-json-object.js';
import type { ProbeAnswer } from './probe/http-probe.js';
import { once } from './probe/once.js';
import { ProbeError } from './probe/probe.error.js';
import { readBearer } from './read-bearer.js';

/** A JSON document that was asked for. */
export interface FetchedDocument {
  readonly url: string;
  readonly document: JsonObject | undefined;
  readonly headers: ProbeAnswer['headers'];
  /** What was found in the place of the document. */
  readonly complaint: string;
}

/** The metadata of a protected resource, wherever a client looks for it. */
export interface ResourceMetadataFacts {
  /** Where the challenge says that it is. */
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
  readonly found: FetchedDocument | undefined;
  /** What was found where there was none. */
  readonly complaints: readonly string[];
}

/** What the facts are asked of. */
export interface FactSource {
  readonly url: URL;
  readonly knock: () => Promise<ProbeAnswer>;
  readonly fetch: (url: string) => Promise<ProbeAnswer>;
}

/** What is examined of a server that names more. */
const MOST_SERVERS = 3;

/** What a server says of authorization, to anybody. */
export class AuthorizationFacts {
  constructor(private readonly source: FactSource) {}

  /** The `Bearer` challenge, or why there is none; nothing where no token is asked for. */
  readonly challenge = once(async (): Promise<Challenge | string | undefined> => {
    const { status, headers } = await this.source.knock();
    if (status !== 401) return undefined;
    const { 'www-authenticate': header } = headers;
    if (header === undefined) return 'Answers 401 without "WWW-Authenticate"';
    return readBearer(header);
  });

  /** Where the challenge says that the metadata is. */
  readonly metadataUrl = once(async (): Promise<string | undefined> => {
    const challenge = await this.challenge();
    return typeof challenge === 'object' ? challenge.parameters.get('resource_metadata') : undefined;
  });

  /** The metadata of the resource; nothing where no token is asked for. */
  readonly resourceMetadata = once(async (): Promise<ResourceMetadataFacts | undefined> => {
    if ((await this.challenge()) === undefined) return undefined;
    const named = await this.metadataUrl();
    const { url } = this.source;
    return {
      named: named === undefined || !URL.canParse(named) ? undefined : await this.#fetch(named),
      atPath: await this.#fetch(buildResourceMetadataUrl(url.href)),
      atRoot: await this.#fetch(buildResourceMetadataUrl(url.origin)),
    };
  });

  /** What a client takes for the metadata of the resource. */
  readonly resource = once(async (): Promise<FetchedDocument | undefined> => {
    const facts = await this.resourceMetadata();
    const candidates = facts === undefined ? [] : [facts.named, facts.atPath, facts.atRoot];
    return candidates.find((one) => one?.document !== undefined);
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

  async #findServer(issuer: string): Promise<ServerFacts> {
    const complaints: string[] = [];
    for (const url of buildServerMetadataUrls(issuer)) {
      const found = await this.#fetch(url);
      if (found.document !== undefined) return { issuer, found, complaints };
      complaints.push(found.complaint);
    }
    return { issuer, found: undefined, complaints };
  }

  async #fetch(url: string): Promise<FetchedDocument> {
    try {
      const { status, body, headers } = await this.source.fetch(url);
      const document = status === 200 ? parseJsonObject(body) : undefined;
      const complaint = status === 200 ? 'sends no JSON object' : `answers ${status}`;
      return { url, document, headers, complaint };
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      return { url, document: undefined, headers: {}, complaint: error.reason };
    }
  }
}
