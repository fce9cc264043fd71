import type { ClientCapabilities, ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import { findRevision } from '../../core/protocol/revisions.js';
import { Nonces } from '../../core/sealing/nonces.js';
import type { Sealer } from '../../core/sealing/sealer.js';
import { formatPosition, parsePosition } from '../cluster/position.js';
import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';
import type { Negotiated } from './negotiated.interface.js';

/** A session id that was read back. */
export interface SessionTicket {
  /** What tells the session from all others. */
  readonly nonce: string;
  /** When the session ends whatever happens, in milliseconds of the epoch. */
  readonly expires: number;
  /** When its handshake was; ids of earlier releases do not say so. */
  readonly opened?: number;
  /** What its handshake settled; absent if that was too long for a header. */
  readonly negotiated?: Negotiated;
  /** Where the log that processes share stood at the handshake. */
  readonly begin?: ClusterPosition;
}

/** When a session began. */
interface SessionBegin {
  /** By the clock that processes share, in milliseconds of the epoch. */
  readonly opened: number;
  /** Where the log that processes share stood. */
  readonly begin?: ClusterPosition | undefined;
}

/** What a session id tells about a handshake, by short names since it travels with every request. */
interface Settlement {
  /** The server that settled it: servers may share a secret, and what one settled is not for another. */
  readonly s: string;
  readonly r: string;
  readonly c: ClientCapabilities;
  readonly i?: Pick<Implementation, 'name' | 'version'>;
  readonly d: ServerCapabilities;
  readonly o?: string;
  /** Digests of the lists of the server. */
  readonly l?: string;
  /** Where the log that processes share stood. */
  readonly p?: string;
  /** When that was, in milliseconds of the epoch. */
  readonly t?: number;
}

/** Headers of proxies and servers are bounded at 8 kB together. */
const LONGEST_ID = 3072;

/**
 * Writes and reads session ids: unguessable, signed, and telling a process that never saw the session what its
 * handshake settled.
 *
 * @see MCP 2025-11-25 basic/transports, "Session Management"
 */
export class SessionIdCodec {
  readonly #nonces = new Nonces();

  constructor(
    private readonly sealer: Sealer,
    /** Whether ids are to say what the handshake settled, which makes them longer. */
    private readonly isRecovering: boolean,
    /** The path of the server. */
    private readonly server: string,
  ) {}

  format(negotiated: Negotiated, expires: number, start: SessionBegin = { opened: Date.now() }): string {
    const ticket = `${this.#nonces.create()}.${expires}`;
    if (!this.isRecovering) return flatten(this.sealer.sign('session-id', ticket));
    const settlement = encode(this.#buildSettlement(negotiated, start));
    const id = this.sealer.sign('session-id', `${ticket}.${settlement}`);
    return flatten(id.length <= LONGEST_ID ? id : this.sealer.sign('session-id', ticket));
  }

  /** Reads an id. Returns `undefined` if it is not one of ours, or its time is over. */
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

/** Copies a text that V8 keeps as the parts it was joined of: it is kept as long as its session. */
function flatten(id: string): string {
  return Buffer.from(id, 'latin1').toString('latin1');
}
