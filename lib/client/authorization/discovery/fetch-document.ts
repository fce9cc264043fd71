import type {
  DocumentFault,
  DocumentGet,
  DocumentReply,
  FoundDocument,
} from '../../../core/oauth/documents/ask-for-document.js';
import { parseJsonObject } from '../../../core/protocol/parse-json-object.js';
import { DiscoveryFailedError, NoAnswerError } from '../errors/errors.js';
import type { ClientHttp } from '../http/client-http.interface.js';

/** How documents are fetched. */
export interface DocumentFetch {
  readonly http: ClientHttp;
  readonly signal?: AbortSignal | undefined;
  /** Hosts that may be reached by plain `http`. @default [] */
  readonly insecureHosts?: readonly string[] | undefined;
  /** Whether issuers may differ by a slash at the end. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
}

/**
 * Creates a function that fetches a JSON object from one URL, and ignores the media type of the answer. It rejects with
 * a {@link DiscoveryFailedError} if there is no answer.
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
 * Returns the document that a place has.
 *
 * @throws {DiscoveryFailedError} if it has none
 */
export function getFound(reply: DocumentReply): FoundDocument {
  if (reply.document !== undefined) return reply.document;
  throw createDiscoveryFault(reply);
}

/** Creates the error of a place that has no document. */
export function createDiscoveryFault({ url, fault, status }: DocumentFault): DiscoveryFailedError {
  return new DiscoveryFailedError({ url, fault, status });
}

async function request(url: string, { http, signal }: DocumentFetch): Promise<Response> {
  try {
    return await http(url, { headers: { accept: 'application/json' }, signal });
  } catch (cause) {
    if (!(cause instanceof NoAnswerError)) throw cause;
    const { fault, isPassing } = cause;
    throw new DiscoveryFailedError({ url, fault, isPassing }, { cause });
  }
}
