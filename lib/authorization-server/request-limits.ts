import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { OncePerMinute } from '../core/async/rate-limits.js';
import { Logger } from '../core/logger/logger.js';
import { formatAddressGroup } from '../core/network/address-networks.js';
import type { AuthorizationServerSettings } from './settings/authorization-server-options.js';
import type { SealedRecords } from './storage/sealed-records.js';

/** The requests that anyone can send without a login. */
export type LimitedRequest = 'authorization' | 'token' | 'registration' | 'document';

interface RequestLimit {
  readonly perAddress: number;
  readonly inAll: number;
  readonly seconds: number;
  /** The name of these requests in the log. */
  readonly name: string;
}

const HOUR = 3600;
const TEN_MINUTES = 600;
const MOST_REFUSED = 10_000;

/**
 * Counts requests from callers without a login, per address and in total, so that no client can fill the storage or
 * make this server flood others. If the storage can count, all processes that use it share the counts.
 */
export class RequestLimits {
  readonly #limits: Readonly<Record<LimitedRequest, RequestLimit>>;
  /** Rejected requests are not counted again, so a flood does not reach the storage. */
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED });
  readonly #reports = new OncePerMinute();
  readonly #logger = new Logger('McpAuthorizationServer');

  constructor(
    settings: AuthorizationServerSettings,
    private readonly records: Pick<SealedRecords, 'increment'>,
  ) {
    this.#limits = {
      authorization: {
        perAddress: settings.maxAuthorizationsPerAddress,
        inAll: settings.maxAuthorizations,
        seconds: TEN_MINUTES,
        name: 'authorization requests',
      },
      token: {
        perAddress: settings.maxTokenRequestsPerAddress,
        inAll: settings.maxTokenRequests,
        seconds: TEN_MINUTES,
        name: 'token requests',
      },
      registration: {
        perAddress: settings.maxRegistrationsPerAddress,
        inAll: settings.maxRegistrations,
        seconds: HOUR,
        name: 'registrations',
      },
      document: {
        perAddress: settings.maxDocumentsPerAddress,
        inAll: settings.maxDocuments,
        seconds: TEN_MINUTES,
        name: 'client metadata documents',
      },
    };
  }

  /** Counts one request. Returns the seconds to wait if there were too many, otherwise 0. */
  async count(kind: LimitedRequest, request: IncomingMessage): Promise<number> {
    const { perAddress, inAll, seconds, name } = this.#limits[kind];
    const counted = [
      { whose: findAddress(request), most: perAddress, where: 'from one address' },
      { whose: 'all', most: inAll, where: 'from all addresses' },
    ];
    for (const { whose, most, where } of counted) {
      const id = `${kind} ${whose}`;
      const leftMs = this.#refused.getRemainingTTL(id);
      if (leftMs > 0) return Math.ceil(leftMs / 1000);
      const { count, expiresInSeconds } = await this.records.increment('Limit', id, seconds);
      if (count <= most) continue;
      const wait = Math.max(1, Math.ceil(expiresInSeconds));
      this.#refused.set(id, true, { ttl: wait * 1000 });
      if (this.#reports.isDue(`${kind} ${where}`))
        this.#logger.warn(
          `More than ${most} ${name} ${where} within ${seconds / 60} minutes: further ones are rejected`,
        );
      return wait;
    }
    return 0;
  }
}

/** Adapters write the caller's address to `ip`, according to their `trust proxy` setting. */
function findAddress(request: IncomingMessage & { readonly ip?: unknown }): string {
  const address = typeof request.ip === 'string' ? request.ip : request.socket.remoteAddress;
  return address === undefined ? 'unknown' : formatAddressGroup(address);
}
