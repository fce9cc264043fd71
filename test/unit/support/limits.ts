import type { ApplicationConfig, ModuleRef } from '@nestjs/core';
import { HandlerLimits } from '../../../lib/server/limits/handler-limits.js';
import { Throttling } from '../../../lib/server/limits/throttling.js';
import { TestCatalog } from './catalog.js';
import { buildSettings } from './settings.js';

/** Limits of a server whose application has no `ThrottlerModule`. */
export function buildLimits(): HandlerLimits {
  const throttling = new Throttling(
    {} as ModuleRef,
    {} as ApplicationConfig,
    { server: 'default', isDefault: true },
    buildSettings(),
    new TestCatalog(),
  );
  return new HandlerLimits(throttling);
}
