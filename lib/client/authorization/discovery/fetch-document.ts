import type {
  DocumentGet,
  DocumentProblem,
  DocumentResult,
  FoundDocument,
} from '../../../core/oauth/documents.js';
import { omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isStringArray, type JsonObject, parseJsonObject } from '../../../core/protocol/json-rpc.js';
import type { ClientHttp } from '../client-http.interface.js';
import { DiscoveryFailedError, NoAnswerError } from '../errors.js';

/** How documents are fetched. */
export interface DocumentFetch {
  readonly http: ClientHttp;
  readonly signal?: AbortSignal | undefined;
  /** Hosts that may be called over plain `http`. @default [] */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether issuers may differ in a trailing slash. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
}

/**
 * Creates a function that fetches a JSON object from one URL, regardless of the media type. It rejects with a {@link
 * DiscoveryFailedError} if there is no response.
 */
export function createDocumentGet({ http, signal }: DocumentFetch): DocumentGet {
  return async (url) => {
    const response = await request(url, { http, signal });
    const { status, headers } = response;
    const document = response.ok ? parseJsonObject(await response.arrayBuffer()) : undefined;
    return { status, location: headers.get('location') ?? undefined, document };
  };
}

/**
 * Returns the document in a reply.
 *
 * @throws {DiscoveryFailedError} if it has none
 */
export function getFound(reply: DocumentResult): FoundDocument {
  if (reply.document !== undefined) return reply.document;
  throw createDiscoveryError(reply);
}

/** Creates the error for a URL without a document. */
export function createDiscoveryError({ url, problem, status }: DocumentProblem): DiscoveryFailedError {
  return new DiscoveryFailedError({ url, problem: problem, status });
}

async function request(url: string, { http, signal }: DocumentFetch): Promise<Response> {
  try {
    return await http(url, { headers: { accept: 'application/json' }, signal });
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    const { problem, isPassing } = cause;
    throw new DiscoveryFailedError({ url, problem, isPassing }, { cause });
  }
}

/** A metadata property's type. */
export type PropertyKind = 'text' | 'texts' | 'flag';

const KINDS: { readonly [kind in PropertyKind]: { matches: (value: unknown) => boolean; name: string } } = {
  text: { matches: (value) => typeof value === 'string', name: 'a string' },
  texts: { matches: isStringArray, name: 'an array of strings' },
  flag: { matches: (value) => typeof value === 'boolean', name: 'true or false' },
};

/**
 * Returns a document whose known properties have the right types. Properties that are `null` or empty strings are omitted.
 *
 * @throws {DiscoveryFailedError} if a property has a different type
 */
export function parseProperties(
  url: string,
  document: JsonObject,
  kinds: { readonly [member: string]: PropertyKind },
): JsonObject {
  const present = omitEmpty(document);
  for (const [member, value] of Object.entries(present)) {
    const kind = Object.hasOwn(kinds, member) ? kinds[member] : undefined;
    if (kind === undefined || KINDS[kind].matches(value)) continue;
    const problem = `has a "${member}" that is not ${KINDS[kind].name}`;
    throw new DiscoveryFailedError({ url, problem });
  }
  return present;
}
