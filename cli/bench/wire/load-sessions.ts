import { settleWithin } from '../../../lib/core/async/timeouts.js';
import { isHeaderWord } from '../../../lib/core/words/words.js';
import type { GivenHeaders } from '../../server/parse-header.js';
import { MeasurementError } from '../measurement.error.js';
import { readResult } from './read-result.js';
import type { LoadConnection } from './load-connection.js';
import { LoadConnections } from './load-connections.js';
import type { LoadTarget } from './load-target.js';
import { buildHandshake, INITIALIZED, type BenchWire } from './mcp-request.js';
import { findHeader, type RawResponse } from './raw-response.js';
import { buildNotificationBytes, buildSessionEndBytes, RequestBytes } from './request-bytes.js';

/** The number of connections that end the remaining sessions, and their time limit. */
const LEAVING_CONNECTIONS = 8;
const LEAVE_MS = 5000;

/** Opens sessions on a server, and ends all of them. */
export class LoadSessions {
  /** The ids of the open sessions. */
  readonly #open = new Set<string>();

  constructor(
    private readonly target: LoadTarget,
    readonly wire: BenchWire,
  ) {}

  /** The number of open sessions. */
  get size(): number {
    return this.#open.size;
  }

  /** Opens a session, and returns its requests' headers. */
  async open(connection: LoadConnection): Promise<GivenHeaders> {
    const { target, wire } = this;
    const handshake = new RequestBytes(target, buildHandshake(wire.version), { wire });
    const answer = await connection.exchange(handshake.next().bytes);
    const session = this.note(answer);
    readResult(answer);
    const { status } = await connection.exchange(
      buildNotificationBytes(target, INITIALIZED, { wire, session }),
    );
    if (status > 299) throw new MeasurementError(`"${INITIALIZED.method}" returns ${status}`);
    return session;
  }

  /** Records the session that an initialization has opened, and returns its requests' headers. */
  note({ head }: RawResponse): GivenHeaders {
    const id = findHeader(head, 'mcp-session-id');
    if (!isHeaderWord(id)) return this.#buildHeaders();
    this.#open.add(id);
    return this.#buildHeaders(id);
  }

  /** Ends all sessions over existing connections. */
  async endAll(connections: readonly LoadConnection[]): Promise<void> {
    const ids = [...this.#open];
    const share = Math.ceil(ids.length / connections.length);
    await Promise.all(
      connections.map(async (connection, index) => {
        for (const id of ids.slice(index * share, (index + 1) * share)) {
          await connection.exchange(buildSessionEndBytes(this.target, this.#buildHeaders(id)));
          this.#open.delete(id);
        }
      }),
    );
  }

  /**
   * Ends the remaining sessions within a time limit. Returns whether the server responded, because it may have
   * stopped or may retain its sessions.
   */
  async leave(): Promise<boolean> {
    if (this.#open.size === 0) return true;
    const connections = new LoadConnections(this.target);
    const isAnswered = await settleWithin(
      this.#endOver(connections).catch(() => undefined),
      LEAVE_MS,
    );
    connections.close();
    this.#open.clear();
    return isAnswered;
  }

  async #endOver(connections: LoadConnections): Promise<void> {
    const count = Math.min(LEAVING_CONNECTIONS, this.#open.size);
    await this.endAll(await Promise.all(Array.from({ length: count }, () => connections.open())));
  }

  #buildHeaders(id?: string): GivenHeaders {
    const version = { 'mcp-protocol-version': this.wire.version };
    return id === undefined ? version : { ...version, 'mcp-session-id': id };
  }
}
