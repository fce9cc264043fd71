import { findAnswerHead, type HeaderValue } from '../../../context/answer-head.interface.js';
import type { HttpView } from '../../../context/mcp-context.interface.js';

/**
 * Headers that the protocol and its transport set: about the body, the connection, the session, the caller's rights, the
 * pages that may read the answer, and caching.
 */
const OF_THE_PROTOCOL =
  /^(?:content-(?:type|length|encoding|range)|transfer-encoding|connection|keep-alive|trailer|te|upgrade|date|location|cache-control|expires|pragma|age|x-accel-buffering|www-authenticate|mcp-.*|access-control-.*)$/;

/**
 * The headers that one call sets. They reach the HTTP answer if it has not begun. Headers of the protocol are only kept
 * here, to be read.
 */
export class CallHeaders {
  readonly #own = new Map<string, HeaderValue>();

  constructor(private readonly http: HttpView | undefined) {}

  get(name: string): HeaderValue | undefined {
    const key = name.toLowerCase();
    return this.#own.get(key) ?? findAnswerHead(this.http)?.response.getHeader(key);
  }

  getAll(): Record<string, HeaderValue> {
    return Object.fromEntries(this.#own);
  }

  set(name: string, value: HeaderValue): void {
    const key = name.toLowerCase();
    // It throws for what no header can have, and nothing is kept then.
    if (!OF_THE_PROTOCOL.test(key))
      findAnswerHead(this.http)?.response.setHeader(name, this.#complete(key, value));
    this.#own.set(key, value);
  }

  append(name: string, value: HeaderValue): void {
    const present = this.get(name);
    this.set(name, present === undefined ? value : [present, value].flat().map(String));
  }

  remove(name: string): void {
    const key = name.toLowerCase();
    this.#own.delete(key);
    const isOurs = OF_THE_PROTOCOL.test(key) || key === 'vary';
    if (!isOurs) findAnswerHead(this.http)?.response.removeHeader(key);
  }

  /** Existing values of `Vary` stay. Otherwise caches would give one page the answer for another. */
  #complete(key: string, value: HeaderValue): HeaderValue {
    const present = key === 'vary' ? findAnswerHead(this.http)?.response.getHeader(key) : undefined;
    if (present === undefined) return value;
    const names = [present, value].flat().flatMap((list) => String(list).split(/\s*,\s*/));
    return [...new Map(names.map((one) => [one.toLowerCase(), one])).values()].join(', ');
  }
}
