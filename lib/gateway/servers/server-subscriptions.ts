import { Subscription, throttleTime } from 'rxjs';
import { computeDelay } from '../../core/async/retry.js';
import { callAfter } from '../../core/async/timers.js';
import { describeFailure } from '../../core/log/describe-failure.js';
import { escapeText } from '../../core/log/escape-text.js';
import { Logger } from '../../core/logger/logger.js';
import type { McpNotifier } from '../../index.js';
import type { McpClient } from '../../client/module/index.js';
import type { GatewayServerSettings } from '../settings/gateway-options.js';
import type { ServerEntries } from './server-entries.js';

/** Retry delays after the server has refused subscriptions. */
const RETRY = { initialDelayMs: 1000, maxDelayMs: 5 * 60_000 };

/** The maximum number of refused subscriptions that are requested again at a time. */
const MOST_RETRIED = 20;

/** Subscribes to the resources of one server to which clients of the gateway are subscribed, and forwards the updates. */
export class ServerSubscriptions {
  readonly #log = new Logger('McpGateway');
  /**
   * The subscriptions at the server, keyed with the URIs of the gateway in normal form. One is absent after a failure,
   * and until the server offers the resource: a resumed session may be subscribed before the lists have been read.
   */
  readonly #wanted = new Map<string, Subscription | undefined>();
  #clients: Subscription | undefined;
  #isReported = false;
  #retries = 0;
  #stopTimer: (() => void) | undefined;

  constructor(
    private readonly settings: GatewayServerSettings,
    private readonly client: McpClient,
    private readonly entries: ServerEntries,
    private readonly notifier: McpNotifier,
  ) {}

  begin(): void {
    this.#clients = this.notifier.subscriptions$.subscribe(({ type, uri }) => {
      if (type === 'subscribed') this.#subscribe(uri);
      else this.#unsubscribe(uri);
    });
  }

  /** Requests the subscriptions that have failed, or whose resources were not offered yet. */
  resume(most = Infinity): void {
    // Clients also subscribe to what other servers offer.
    const absent = [...this.#wanted].filter(
      ([uri, subscription]) => subscription === undefined && this.entries.findOfferedUri(uri) !== undefined,
    );
    for (const [uri] of absent.slice(0, most)) {
      // Moves it to the end, so that each is retried in turn.
      this.#wanted.delete(uri);
      this.#subscribe(uri);
    }
  }

  close(): void {
    this.#clients?.unsubscribe();
    for (const uri of this.#wanted.keys()) this.#unsubscribe(uri);
    this.#stopRetrying();
  }

  #subscribe(uri: string): void {
    const offered = this.entries.findOfferedUri(uri);
    if (offered === undefined) return void this.#wanted.set(uri, undefined);
    const subscription = new Subscription();
    this.#wanted.set(uri, subscription);
    // Updates that arrive together cause one notification, so that a server cannot flood clients.
    const updates$ = this.client
      .subscribe(offered.listed)
      .pipe(throttleTime(this.settings.limits.refreshMs, undefined, { leading: true, trailing: true }));
    subscription.add(
      updates$.subscribe({
        next: () => this.notifier.resourceUpdated(offered.uri),
        error: (error: unknown) => this.#noteFailure(uri, subscription, error),
      }),
    );
  }

  #unsubscribe(uri: string): void {
    const subscription = this.#wanted.get(uri);
    this.#wanted.delete(uri);
    if (subscription === undefined) return;
    subscription.unsubscribe();
    if (this.#stopTimer === undefined) return;
    // The server may have room for another one now.
    this.#stopRetrying();
    this.#retryLater();
  }

  /** A server may limit subscriptions, and accept more once others have ended. */
  #retryLater(): void {
    this.#stopTimer ??= callAfter(computeDelay(RETRY, this.#retries), () => {
      this.#stopTimer = undefined;
      this.#retries += 1;
      this.resume(MOST_RETRIED);
    });
  }

  #stopRetrying(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#retries = 0;
  }

  #noteFailure(uri: string, subscription: Subscription, error: unknown): void {
    if (this.#wanted.get(uri) === subscription) {
      this.#wanted.set(uri, undefined);
      this.#retryLater();
    }
    if (this.#isReported) return;
    this.#isReported = true;
    const problem = escapeText(describeFailure(error).text, 500);
    this.#log.warn(
      `The server "${this.settings.name}" refuses a subscription to a resource, whose updates are not forwarded: ${problem}`,
    );
  }
}
