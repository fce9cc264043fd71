import { randomBytes } from 'node:crypto';
import type { Sealer } from '../../core/sealing/sealer.js';

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
  open(handle: unknown, identity: string | undefined): string | undefined {
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
