import {
  ASSUMED_REVISION,
  findRevision,
  NEWEST_HANDSHAKE_REVISION,
  type Revision,
} from '../../core/protocol/revisions.js';
import type { Authentication } from '../context/authentication.js';
import type { SessionOpening } from './session-opening.interface.js';
import type { Negotiated } from './negotiated.interface.js';
import { UNKNOWN_CLIENT } from './unknown-client.js';

/**
 * A client with a handshake revision, on a server that stores no sessions. Its requests are served as if it had been
 * initialized.
 */
export class StatelessPeer implements SessionOpening {
  readonly client = UNKNOWN_CLIENT;
  readonly keepsNothing = true;
  #revision: Revision;

  /** @param version the request's version header, if it has one */
  constructor(
    version: string | undefined,
    private readonly authentication: Authentication | undefined,
  ) {
    this.#revision =
      version === undefined ? ASSUMED_REVISION : (findRevision(version) ?? NEWEST_HANDSHAKE_REVISION);
  }

  get identity(): string | undefined {
    return this.authentication?.identity;
  }

  get revision(): Revision {
    return this.#revision;
  }

  open({ revision }: Negotiated): void {
    this.#revision = revision;
  }
}
