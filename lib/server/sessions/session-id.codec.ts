import type { ClientCapabilities, ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import { findRevision } from '../../core/protocol/revisions.js';
import { Nonces } from '../../core/sealing/nonces.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import { formatPosition, parsePosition } from '../cluster/position.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { Negotiated } from './negotiated.interface.js';

/** A session id's content. */
export interface SessionTicket {
  /** The session's unique name. */
  readonly nonce: string;
  /** The latest time at which the session ends, in milliseconds since the epoch. */
  readonly expires: number;
  /** When it was initialized; absent in ids from earlier releases. */
  readonly opened?: number;
  /** What its initialization negotiated; absent if that was too long for a header. */
  readonly negotiated?: Negotiated;
  /** The shared log's position at initialization. */
  readonly begin?: ClusterPosition;
}

/** When a session began. */
interface SessionBegin {
  /** On the clock that processes share, in milliseconds since the epoch. */
  readonly opened: number;
  /** The shared log's position. */
  readonly begin?: ClusterPosition | undefined;
}

/** The negotiated state in a session id. Its names are short because the id is sent with every request. */
interface Settlement {
  /** The server that initialized the session: servers may share a secret, but not each other's sessions. */
  readonly s: string;
  readonly r: string;
  readonly c: ClientCapabilities;
  readonly i?: Pick<Implementation, 'name' | 'version'>;
  readonly d: ServerCapabilities;
  readonly o?: string;
  /** Digests of the server's lists. */
  readonly l?: string;
  /** The shared log's position. */
  readonly p?: string;
  /** When initialization took place, in milliseconds since the epoch. */
  readonly t?: number;
}

/** Proxies and servers limit the total size of all headers to 8 kB. */
const LONGEST_ID = 3072;

/**
 * Formats and parses session ids. They are unguessable and signed, and carry the negotiated state to processes that have
 * never seen the session.
 *
 * @see MCP 2025-11-25 basic/transports, "Session Management"
 */
export class SessionIdCodec {
  readonly #nonces = new Nonces();

  constructor(
    private readonly sealer: Sealer,
    /** Whether ids contain the negotiated state, which makes them longer. */
    private readonly isRecovering: boolean,
    /** The server path. */
    private readonly server: string,
  ) {}

  format(negotiated: Negotiated, expires: number, start: SessionBegin = { opened: Date.now() }): string {
    const ticket = `${this.#nonces.create()}.${expires}`;
    if (!this.isRecovering) return flatten(this.sealer.sign('session-id', ticket));
    const settlement = encode(this.#buildSettlement(negotiated, start));
    const id = this.sealer.sign('session-id', `${ticket}.${settlement}`);
    return flatten(id.length <= LONGEST_ID ? id : this.sealer.sign('session-id', ticket));
  }

  /** Parses an id. Returns `undefined` if its signature is invalid, or if it has expired. */
  parse(id: string): SessionTicket | undefined {
    const [nonce, end, settlement] = this.sealer.verify('session-id', id)?.split('.') ?? [];
    const expires = Number(end);
    if (nonce === undefined || !(expires > Date.now())) return undefined;
    return { nonce, expires, ...(settlement !== undefined && this.#parseSettlement(settlement)) };
  }

  #buildSettlement(
    { revision, client, declared, identity, lists }: Negotiated,
    { opened, begin }: SessionBegin,
  ): Settlement {
    const { info, capabilities } = client;
    return {
      s: this.server,
      r: revision.version,
      c: capabilities,
      ...(info !== undefined && { i: { name: info.name, version: info.version } }),
      d: declared,
      t: opened,
      ...(identity !== undefined && { o: identity }),
      ...(lists !== undefined && { l: lists }),
      ...(begin !== undefined && { p: formatPosition(begin) }),
    };
  }

  #parseSettlement(text: string): Pick<SessionTicket, 'negotiated' | 'begin' | 'opened'> | undefined {
    const { s, r, c, i, d, o, l, p, t } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Settlement;
    const revision = findRevision(r);
    if (s !== this.server || revision?.kind !== 'handshake') return undefined;
    const begin = parsePosition(p);
    const client = { capabilities: c, ...(i !== undefined && { info: i }) };
    return {
      negotiated: {
        revision,
        client,
        declared: d,
        ...(o !== undefined && { identity: o }),
        ...(l !== undefined && { lists: l }),
      },
      ...(begin !== undefined && { begin }),
      ...(t !== undefined && { opened: t }),
    };
  }
}

function encode(settlement: Settlement): string {
  return Buffer.from(JSON.stringify(settlement)).toString('base64url');
}

/** Copies a string that V8 stores as the parts it was joined from, because it lives as long as its session. */
function flatten(id: string): string {
  return Buffer.from(id, 'latin1').toString('latin1');
}
