import type { Provider } from '@nestjs/common';
import { ConcurrencyLimits } from './concurrency/concurrency-limits.js';
import { MisplacedLimits } from './concurrency/misplaced-limits.js';
import { HandlerLimits } from './handler-limits.js';
import { Throttling } from './throttler/throttling.js';

/** What limits how often, and how much at once, callers may ask. */
export const LIMITS_PROVIDERS: readonly Provider[] = [
  ConcurrencyLimits,
  MisplacedLimits,
  Throttling,
  HandlerLimits,
];
