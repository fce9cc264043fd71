import { createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '../../core/sealing/sealer.js';
import { findAnonymousAddress } from '../context/caller-identity.js';
import type { StateContext } from '../context/request-parts.interface.js';
import type { MemoryCaller } from '../memory/memory-account.js';

/** The namespace for one caller's values, or for the values behind one handle. */
export interface StateNamespace {
  /** The unique name. It does not reveal a token, session or handle. */
  readonly key: string;
  /** The caller toward whose memory it counts. */
  readonly owner: MemoryCaller;
  /** Whether it is the caller's default namespace, rather than a session's or a handle's. */
  readonly isDefault: boolean;
}

/**
 * Finds the namespace of a request's caller. Returns `undefined` if the caller is unknown.
 *
 * @param process identifies this process in the cluster
 */
export function findCallerNamespace(context: StateContext, process: string): StateNamespace | undefined {
  const { identity, session, http, hosting } = context;
  const owner = findOwner(context);
  if (identity !== undefined) return { key: formatKey('caller', identity), owner, isDefault: true };
  // Over stdio, the only caller is the one that started the process.
  if (http === undefined && hosting === undefined)
    return { key: formatKey('pipe', process), owner, isDefault: true };
  return session && { key: formatKey('session', session.id), owner, isDefault: false };
}

/** Returns a handle's namespace. */
export function buildHandleNamespace(id: string, context: StateContext): StateNamespace {
  return { key: formatKey('handle', id), owner: findOwner(context), isDefault: false };
}

function findOwner(context: StateContext): MemoryCaller {
  const { identity } = context;
  return identity === undefined ? { address: findAnonymousAddress(context) } : { identity };
}

function formatKey(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url');
}

/** Enough bytes to make an id unguessable. */
const ID_BYTES = 16;

/** A handle: an id, and a signature that covers the server and the caller. */
const HANDLE = /^([\w-]{22})\.([\w-]{43})$/;

/** Creates and verifies the handles that clients send back. */
export class StateHandles {
  constructor(
    private readonly sealer: Sealer,
    /** Servers may share a secret, but not their handles. */
    private readonly server: string,
  ) {}

  /** Creates a handle for the caller. If the caller is unknown, any client that has the handle can use it. */
  create(identity: string | undefined): string {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const text = this.#bind(id, identity);
    return `${id}${this.sealer.sign('state-handle', text).slice(text.length)}`;
  }

  /** Returns a handle id, or `undefined` if it belongs to another server or caller. */
  verify(handle: unknown, identity: string | undefined): string | undefined {
    const [, id, signature] = (typeof handle === 'string' && HANDLE.exec(handle)) || [];
    if (id === undefined) return undefined;
    // State that was created anonymously remains available after a login.
    const callers = identity === undefined ? [undefined] : [identity, undefined];
    const isOurs = callers.some(
      (caller) => this.sealer.verify('state-handle', `${this.#bind(id, caller)}.${signature}`) !== undefined,
    );
    return isOurs ? id : undefined;
  }

  #bind(id: string, identity: string | undefined): string {
    return JSON.stringify([this.server, identity ?? null, id]);
  }
}
