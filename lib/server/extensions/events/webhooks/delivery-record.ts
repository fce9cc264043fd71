import type { DeliveryFault, WebhookStatus } from './webhook-delivery.interface.js';

/** What deliveries to a receiver came to so far. */
export class DeliveryRecord {
  #isActive = true;
  #failuresInRow = 0;
  #lastDeliveryAt: number | undefined;
  #failedSince: number | undefined;
  #lastError: DeliveryFault | undefined;

  constructor(private readonly suspendAfter: number) {}

  get isActive(): boolean {
    return this.#isActive;
  }

  succeed(): void {
    this.#lastDeliveryAt = Date.now();
    this.#forgetFailures();
  }

  /** Notes a message that was given up; after several in a row the receiver counts as suspended. */
  fail(fault: DeliveryFault): void {
    this.#failuresInRow += 1;
    this.#lastError = fault;
    this.#failedSince ??= Date.now();
    if (this.#failuresInRow >= this.suspendAfter) this.#isActive = false;
  }

  /** Begins again with a receiver that was suspended, and tells whether it was. */
  resume(): boolean {
    if (this.#isActive) return false;
    this.#isActive = true;
    this.#forgetFailures();
    return true;
  }

  describe(): Omit<WebhookStatus, 'expiresAt' | 'queued'> {
    return {
      isActive: this.#isActive,
      ...(this.#lastDeliveryAt !== undefined && { lastDeliveryAt: this.#lastDeliveryAt }),
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      ...(this.#failedSince !== undefined && { failedSince: this.#failedSince }),
    };
  }

  #forgetFailures(): void {
    this.#failuresInRow = 0;
    this.#failedSince = undefined;
    this.#lastError = undefined;
  }
}
