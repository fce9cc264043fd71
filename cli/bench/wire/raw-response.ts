import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';

/** An HTTP/1.1 response as received. */
export interface RawResponse {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const LONGEST_HEAD_BYTES = 64 * 1024;

/** No real response is longer. */
export const LONGEST_BODY_BYTES = 16 * 1024 * 1024;

/** The reason for rejecting a longer one, after the server name. */
export const TOO_LONG = `sends more than ${LONGEST_BODY_BYTES / 1024 / 1024} MB in one response`;

/** How to determine the end of a body. */
type Framing = { readonly length: number } | 'chunks' | 'close';

/** Reads one connection's responses, one at a time. */
export class RawAnswerReader {
  #chunks: Buffer[] = [];
  #received = 0;
  #head: { readonly status: number; readonly text: string; readonly framing: Framing } | undefined;

  /**
   * Adds received data, and returns the response when it is complete.
   *
   * @throws {ProbeError} if it is not an HTTP/1.1 response, or is too long
   */
  read(chunk: Buffer): RawResponse | undefined {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#head === undefined && !this.#readHead()) return undefined;
    if (this.#received > LONGEST_BODY_BYTES) throw new ProbeError(TOO_LONG);
    return this.#findWhole();
  }

  /** Returns the response that is completed by the end of the connection, if there is one. */
  finish(): RawResponse | undefined {
    return this.#head?.framing === 'close' ? this.#take(this.#join()) : undefined;
  }

  /** Reads the head, if it is complete. Informational heads before it are skipped (RFC 9110 §15.2). */
  #readHead(): boolean {
    for (;;) {
      const received = this.#join();
      const end = received.indexOf(HEAD_END);
      if (end < 0 && received.length <= LONGEST_HEAD_BYTES) return false;
      const text = received.toString('latin1', 0, Math.max(end, 0));
      const [, digits] = /^HTTP\/1\.[01] (\d{3})/.exec(text) ?? [];
      if (digits === undefined) throw new ProbeError('does not speak HTTP/1.1');
      const rest = received.subarray(end + HEAD_END.length);
      this.#chunks = [rest];
      this.#received = rest.length;
      const status = Number(digits);
      if (status < 200) continue;
      this.#head = { status, text, framing: readFraming(status, text) };
      return true;
    }
  }

  #findWhole(): RawResponse | undefined {
    const framing = this.#head?.framing;
    if (framing === undefined || framing === 'close') return undefined;
    if (framing !== 'chunks') {
      return this.#received < framing.length ? undefined : this.#take(this.#join(), framing.length);
    }
    // The last chunk ends with an empty line, so the earlier ones do not have to be searched repeatedly.
    if (this.#chunks.at(-1)?.at(-1) !== LINE_END[1]) return undefined;
    const body = joinChunks(this.#join());
    return body && this.#take(body);
  }

  #take(body: Buffer, length = body.length): RawResponse {
    const { status = 0, text: head = '' } = this.#head ?? {};
    this.#chunks = [];
    this.#received = 0;
    this.#head = undefined;
    return { status, head, body: body.subarray(0, length) };
  }

  #join(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    if (others.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/** Finds a header's value. */
export function findHeader(head: string, name: string): string | undefined {
  return new RegExp(`\r\n${name}:[ \t]*([^\r]*)`, 'i').exec(head)?.[1]?.trim();
}

function readFraming(status: number, head: string): Framing {
  if (status === 204 || status === 304) return { length: 0 };
  if (/\r\ntransfer-encoding:[^\r]*chunked/i.test(head)) return 'chunks';
  const length = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?:\r|$)/i.exec(head)?.[1];
  return length === undefined ? 'close' : { length: Number(length) };
}

/** With a negative length, reading would never end. */
const CHUNK_SIZE = /^([\da-f]{1,8})[ \t]*(?:;|$)/i;

/** Joins the chunks of a body (RFC 9112 §7.1). Returns `undefined` if one is missing. */
function joinChunks(received: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const lineEnd = received.indexOf(LINE_END, offset);
    if (lineEnd < 0) return undefined;
    const [, digits] = CHUNK_SIZE.exec(received.toString('latin1', offset, lineEnd)) ?? [];
    const size = Number.parseInt(digits ?? '', 16);
    if (Number.isNaN(size)) throw new ProbeError('does not speak HTTP/1.1: a chunk has no size');
    const start = lineEnd + LINE_END.length;
    if (size === 0) return isAtEnd(received, start) ? Buffer.concat(chunks) : undefined;
    if (received.length < start + size + LINE_END.length) return undefined;
    chunks.push(received.subarray(start, start + size));
    offset = start + size + LINE_END.length;
  }
}

/** Optional trailers and an empty line follow the last chunk. */
function isAtEnd(received: Buffer, start: number): boolean {
  return received.indexOf(LINE_END, start) === start || received.indexOf(HEAD_END, start) >= 0;
}
