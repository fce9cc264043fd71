import { computeMaxValues, MAXIMUM_LEVELS, type Excess } from './value-meter.js';

/** The unit that was too large: the whole body, one event of a stream, or all pages of a list. */
export type LimitedUnit = 'response' | 'event' | 'list';

/** The size of a server's response, and the limit that it exceeded. */
export interface LargeResponse {
  /** The URL of the request. */
  readonly url: string;
  readonly unit: LimitedUnit;
  /** The most bytes, after decoding. */
  readonly maxBytes: number;
  /** The unit of the excess. @default bytes */
  readonly excess?: Excess | undefined;
  /** How to raise the limit. @default none: the limit is fixed */
  readonly remedy?: string | undefined;
}

/** A server-defined JSON-RPC error code. */
const SERVER_ERROR = -32_000;

/** Errors are nested only a few levels deep. */
const DEEPEST = 5;

/**
 * A server sent more than its client accepts: bytes after decoding, values to validate, or levels of nesting. The rest
 * is not read.
 */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';
  readonly code = 'response_too_large';
  constructor(
    readonly response: LargeResponse,
    options?: ErrorOptions,
  ) {
    const { url, unit, remedy } = response;
    const more = remedy === undefined || response.excess === 'levels' ? '' : `: ${remedy}`;
    super(`"${stripUrl(url)}" sent more than ${formatLimit(response)} in one ${unit}${more}`, options);
  }

  /** What the server did, to follow its name. */
  get reason(): string {
    return this.message.slice(this.message.indexOf('sent more than '));
  }

  /** Finds such an error in what the official client throws: as it is, as a cause, or as the response to a request. */
  static find(error: unknown): ResponseTooLargeError | undefined {
    let one = error;
    for (let depth = 0; depth < DEEPEST && typeof one === 'object' && one !== null; depth += 1) {
      if (one instanceof ResponseTooLargeError) return one;
      const { data, cause } = one as { readonly data?: unknown; readonly cause?: unknown };
      if (isFormatted(data)) return new ResponseTooLargeError(data.response, { cause: one });
      one = cause;
    }
    return undefined;
  }

  /** Formats the error as the response to a request. */
  toJsonRpc() {
    const { code, message, response } = this;
    return { code: SERVER_ERROR, message, data: { code, response } };
  }
}

function formatLimit({ excess, maxBytes }: LargeResponse): string {
  if (excess === 'levels') return `${MAXIMUM_LEVELS} levels of nesting`;
  return excess === 'values' ? `${computeMaxValues(maxBytes)} weighted values` : `${maxBytes} bytes`;
}

function isFormatted(data: unknown): data is { readonly response: LargeResponse } {
  const { code, response } = Object(data) as { readonly code?: unknown; readonly response?: unknown };
  const { url, maxBytes } = Object(response) as Partial<LargeResponse>;
  return code === 'response_too_large' && typeof url === 'string' && typeof maxBytes === 'number';
}

/** User, password and query of a URL may be secrets. */
function stripUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
