import type { ThrottlerStorage } from '@nestjs/throttler';
import { Logger } from '../../../core/logger/logger.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { OnceAMinute } from '../../../core/waiting/once-a-minute.js';
import { settleWithin } from '../../../core/waiting/settle-within.js';
import { describeFailure } from '../../../core/log/describe-failure.js';
import type { ThrottleOptions } from '../../settings/throttle-options.interface.js';

type Increment = ThrottlerStorage['increment'];
type Count = Awaited<ReturnType<Increment>>;

/** Milliseconds that a call waits for its count. */
const LONGEST_WAIT_MS = 1000;

/** Milliseconds for which a failed storage is not called, so that not every call waits for it. */
const REST_MS = 1000;

const NOT_COUNTED: Count = { totalHits: 0, timeToExpire: 0, isBlocked: false, timeToBlockExpire: 0 };

/** A storage that no call waits for long, and without which calls go on or are refused, as the application says. */
export class SteadyStorage implements ThrottlerStorage {
  readonly #logger = new Logger('McpLimits');
  readonly #reports = new OnceAMinute();
  #restsUntil = 0;

  constructor(
    private readonly storage: ThrottlerStorage,
    private readonly whenUnavailable: NonNullable<ThrottleOptions['whenUnavailable']>,
  ) {}

  async increment(...counted: Parameters<Increment>): Promise<Count> {
    if (performance.now() < this.#restsUntil) return this.#doWithout();
    try {
      const work = this.storage.increment(...counted);
      if (await settleWithin(work, LONGEST_WAIT_MS)) return await work;
      this.#report(`it does not answer within ${LONGEST_WAIT_MS} ms`);
    } catch (failure) {
      this.#report(describeFailure(failure).text);
    }
    return this.#doWithout();
  }

  #doWithout(): Count {
    if (this.whenUnavailable === 'admit') return NOT_COUNTED;
    const text = 'The limits of this server cannot be checked: try again later';
    throw new McpError(ErrorCode.InternalError, text, undefined, 503);
  }

  #report(reason: string): void {
    this.#restsUntil = performance.now() + REST_MS;
    if (!this.#reports.isDue('failure')) return;
    const outcome = this.whenUnavailable === 'admit' ? 'go on without limits' : 'are refused';
    this.#logger.error(`The storage of "ThrottlerModule" fails, and calls ${outcome} meanwhile: ${reason}`);
  }
}
