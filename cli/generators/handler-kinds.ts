import type { HandlerKind } from './handler-kind.interface.js';
import { app } from './kinds/app.js';
import { eventSource } from './kinds/event-source.js';
import { extension } from './kinds/extension.js';
import { identityProvider } from './kinds/identity-provider.js';
import { prompt } from './kinds/prompt.js';
import { resource } from './kinds/resource.js';
import { skill } from './kinds/skill.js';
import { template } from './kinds/template.js';
import { tool } from './kinds/tool.js';

/** Every kind of handler, keyed by its generator's name. */
export const HANDLER_KINDS = {
  tool,
  resource,
  template,
  prompt,
  app,
  skill,
  'event-source': eventSource,
  extension,
  'identity-provider': identityProvider,
} as const satisfies Record<string, HandlerKind>;
