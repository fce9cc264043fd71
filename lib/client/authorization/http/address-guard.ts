import { ReachGuard, type Resolve } from '../../../core/network/reach-guard.js';
import { orAborted } from '../../../core/waiting/or-aborted.js';
import { PrivateAddressError } from '../errors/errors.js';

/** The server to guard against, and the resolver of names. */
export interface GuardSettings {
  readonly serverUrl?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** Keeps a server from having its client ask machines that the server itself cannot reach. */
export class AddressGuard {
  readonly #guard: ReachGuard | undefined;

  constructor(
    private readonly settings: GuardSettings,
    resolve?: Resolve,
  ) {
    const { serverUrl, allowPrivateAddresses = false } = settings;
    if (serverUrl === undefined || allowPrivateAddresses) return;
    // A `fetch` that is given resolves names itself.
    this.#guard = new ReachGuard(new URL(serverUrl), settings.fetch === undefined ? resolve : resolveNothing);
  }

  /** @throws {PrivateAddressError} if a URL leads closer than the server stands */
  async assertInReach(url: string, signal?: AbortSignal): Promise<void> {
    if (this.#guard === undefined) return;
    // Looking up names cannot be stopped.
    const isCloser = await orAborted(this.#guard.leadsCloser(new URL(url)), signal);
    if (isCloser) throw new PrivateAddressError(url, this.settings.serverUrl ?? '');
  }
}

async function resolveNothing(): Promise<readonly string[]> {
  return [];
}
