import type { Known } from '../validators/validator.interface.js';
import { KeptHeader } from './kept-header.js';
import type { TokenOrigin } from './token-origin.js';

interface LastCaller {
  readonly known: Known;
  /** Absent until the caller comes again: if callers take turns, as behind a proxy, none is kept. */
  header?: KeptHeader;
}

/**
 * Remembers the last `Authorization` of each connection, and its caller. A client sends the same with every request, and
 * comparing it costs a fraction of a digest of its token.
 */
export class LastCallers {
  #last = new WeakMap<object, LastCaller>();
  /** All connections of a caller share one: a copy for each takes more memory, and is seldom in a cache when it is read. */
  #headers = new WeakMap<Known, KeptHeader>();

  /** Returns the caller of a request, if it has the same token as the last known caller and that is still valid. */
  recall({ connection, authorization }: TokenOrigin): Known | undefined {
    const last = this.#last.get(connection);
    if (last?.header?.equals(authorization) !== true) return undefined;
    if (last.known.isCurrent()) return last.known;
    this.#last.delete(connection);
    return undefined;
  }

  /** Remembers the caller of a request, and forgets the previous one. */
  remember({ connection, authorization }: TokenOrigin, known: Known): void {
    const last = this.#last.get(connection);
    if (last?.known === known) last.header = this.#keepHeader(known, authorization);
    else this.#last.set(connection, { known });
  }

  /** Forgets everybody. */
  clear(): void {
    this.#last = new WeakMap();
    this.#headers = new WeakMap();
  }

  #keepHeader(known: Known, authorization: string): KeptHeader {
    const kept = this.#headers.get(known);
    if (kept?.equals(authorization) === true) return kept;
    const header = new KeptHeader(authorization, known.authentication.method === 'jwt');
    this.#headers.set(known, header);
    return header;
  }
}
