import type { LookupAddress } from 'node:dns';

/** Finds the addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Tells whether a subscriber's receiver is known to want events, for example because it is in a list of the application's. */
export type IsTrusted = (url: string, owner: string | undefined) => boolean;

/** Bounds the delivery of events to webhooks, and says where they may be sent. */
export interface WebhookOptions {
  /** Allows private, loopback and other addresses that are not public, and names of local networks. @default false */
  readonly allowPrivateAddresses?: boolean;
  /** Sends to `http:` URLs too, so that anybody on the way can read the events. @default false */
  readonly allowHttp?: boolean;
  /** Certificates in PEM of authorities that are trusted besides Node's. @default [] */
  readonly certificateAuthorities?: readonly string[];
  /** Milliseconds that one attempt may take, from the look-up of the name to the end of the answer. @default 15_000 */
  readonly timeoutMs?: number;
  /** How often a message is sent until it counts as failed. @default 5 */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, doubled before each further one; up to half of each wait is random. @default 1000 */
  readonly backoffMs?: number;
  /** The most milliseconds between two attempts, also if `Retry-After` asks for more. @default 60_000 */
  readonly maximumBackoffMs?: number;
  /** Failed messages in a row that suspend a subscription. @default 5 */
  readonly suspendAfter?: number;
  /** Messages that wait for one receiver; beyond them the oldest are lost, and the receiver is told about the gap. @default 100 */
  readonly maximumQueued?: number;
  /** Bytes of messages that wait for all receivers together. @default 67_108_864 */
  readonly maximumQueuedBytes?: number;
  /** Bytes of messages that wait for the receivers of one subscriber. @default an eighth of `maximumQueuedBytes` */
  readonly maximumQueuedBytesPerOwner?: number;
  /** Bytes of one message; a larger one is lost. @default 262_144 */
  readonly maximumBodyBytes?: number;
  /** Bytes of a receiver's answer that are read; then the connection is cut. @default 16_384 */
  readonly maximumAnswerBytes?: number;
  /** Requests under way at once, to all receivers together. @default 256 */
  readonly maximumRequests?: number;
  /** Requests at once to the receivers of one subscriber; subscribers take turns. @default an eighth of `maximumRequests` */
  readonly maximumRequestsPerOwner?: number;
  /** Requests at once to one receiver, by its URL. @default 8 */
  readonly maximumRequestsPerReceiver?: number;
  /** Subscriptions of all subscribers together. @default 10_000 */
  readonly maximumSubscriptions?: number;
  /** Milliseconds that a subscription lives by default. @default 3_600_000 */
  readonly ttlMs?: number;
  /** The fewest milliseconds that a subscription lives. @default 300_000 */
  readonly minimumTtlMs?: number;
  /** The most milliseconds that a subscription lives without being refreshed. @default 86_400_000 */
  readonly maximumTtlMs?: number;
  /** Milliseconds for which a replaced secret continues signing beside its successor. @default 600_000 */
  readonly secretOverlapMs?: number;
  /** Milliseconds that shut-down waits for deliveries. @default 5000 */
  readonly closeTimeoutMs?: number;
  /** Decides which receivers need not confirm that they want events. @default none */
  readonly isTrusted?: IsTrusted;
  /** Receivers of one host that are asked to confirm in a minute. @default 60 */
  readonly confirmationsPerMinute?: number;
  /** Finds the addresses of a receiver's host; the server checks them in any case. @default `lookup` of `node:dns/promises` */
  readonly resolveHost?: ResolveHost;
}
