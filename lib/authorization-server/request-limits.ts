import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { OncePerMinute } from '../core/async/rate-limits.js';
import { Logger } from '../core/logger/logger.js';
import { formatAddressGroup } from '../core/network/address-networks.js';
import type { AuthorizationServerSettings } from './settings/authorization-server-options.js';
import type { SealedRecords } from './storage/sealed-records.js';

const HOUR = 3600;
const TEN_MINUTES = 600;
const MOST_REFUSED = 10_000;

/** The requests that anyone can send without a login: the option that limits them, in how many seconds, and their name in the log. */
const LIMITS = {
  authorization: ['maxAuthorizations', TEN_MINUTES, 'authorization requests'],
  callback: ['maxAuthorizations', TEN_MINUTES, 'callbacks'],
  token: ['maxTokenRequests', TEN_MINUTES, 'token requests'],
  registration: ['maxRegistrations', HOUR, 'registrations'],
  document: ['maxDocuments', TEN_MINUTES, 'client metadata documents'],
} as const;

export type LimitedRequest = keyof typeof LIMITS;

/**
 * Counts requests from callers without a login, per address and in total, so that no client can fill the storage or
 * make this server flood others. If the storage can count, all processes that use it share the counts.
 */
export class RequestLimits {
  /** Rejected requests are not counted again, so a flood does not reach the storage. */
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED });
  readonly #reports = new OncePerMinute();
  readonly #logger = new Logger('McpAuthorizationServer');

  constructor(
    private readonly settings: AuthorizationServerSettings,
    private readonly records: Pick<SealedRecords, 'increment'>,
  ) {}

  /** Counts one request. Returns the seconds to wait if there were too many, otherwise 0. */
  async count(kind: LimitedRequest, request: IncomingMessage): Promise<number> {
    const [option, seconds, name] = LIMITS[kind];
    const counted = [
      { whose: findAddress(request), most: this.settings[`${option}PerAddress`], where: 'from one address' },
      { whose: 'all', most: this.settings[option], where: 'from all addresses' },
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
