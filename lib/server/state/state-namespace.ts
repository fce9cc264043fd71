import { createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '../../core/sealing/sealer.js';
import { findAnonymousAddress } from '../context/caller-identity.js';
import type { StateContext } from '../context/request-parts.interface.js';
import type { MemoryCaller } from '../memory/memory-account.js';

/** Where the values of one caller are, or those behind one handle. */
export interface StateNamespace {
  /** Names it among all, without telling a token, a session or a handle. */
  readonly key: string;
  /** Who has it kept. */
  readonly owner: MemoryCaller;
  /** Whether it is the only one of its kind that its owner has. */
  readonly isDefault: boolean;
}

/**
 * Finds where the values of a request's caller are. Returns `undefined` if it is not known who calls.
 *
 * @param process names this process, among those that share state
 */
export function findCallerNamespace(context: StateContext, process: string): StateNamespace | undefined {
  const { identity, session, http, hosting } = context;
  const owner = findOwner(context);
  if (identity !== undefined) return { key: formatKey('caller', identity), owner, isDefault: true };
  // The only caller over standard input is the one that started the process.
  if (http === undefined && hosting === undefined)
    return { key: formatKey('pipe', process), owner, isDefault: true };
  return session && { key: formatKey('session', session.id), owner, isDefault: false };
}

/** Returns where the values behind a handle are. */
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

/** As many that nobody guesses one. */
const ID_BYTES = 16;

/** A handle: an id, and a signature that has the server and its caller in it. */
const HANDLE = /^([\w-]{22})\.([\w-]{43})$/;

/** Makes and reads the handles that clients send back. */
export class StateHandles {
  constructor(
    private readonly sealer: Sealer,
    /** Servers may share a secret: a handle of one is none of another. */
    private readonly server: string,
  ) {}

  /** Makes a handle for the caller; without a known caller, everybody who has the handle can use it. */
  create(identity: string | undefined): string {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const text = this.#bind(id, identity);
    return `${id}${this.sealer.sign('state-handle', text).slice(text.length)}`;
  }

  /** Returns the id of a handle, or `undefined` if it is none of this server's, or another caller's. */
  verify(handle: unknown, identity: string | undefined): string | undefined {
    const [, id, signature] = (typeof handle === 'string' && HANDLE.exec(handle)) || [];
    if (id === undefined) return undefined;
    // What was begun without a token continues after a login.
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
