import type { Provider } from '@nestjs/common';
import { MisplacedLimits } from './concurrency/misplaced-limits.js';
import { HandlerLimits } from './handler-limits.js';
import { Throttling } from './throttler/throttling.js';

/** What limits how often, and how much at once, callers may ask. */
export const LIMITS_PROVIDERS: readonly Provider[] = [MisplacedLimits, Throttling, HandlerLimits];
