import type { Provider } from '@nestjs/common';
import { EventSourceExplorer } from './event-source.explorer.js';
import { EventsExtension } from './events.extension.js';
import { McpEvents } from './mcp-events.js';

/** What serves the event sources of one server. */
export const EVENTS_PROVIDERS: readonly Provider[] = [EventSourceExplorer, EventsExtension, McpEvents];
