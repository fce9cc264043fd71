import {
  InsufficientScopeError,
  ProtocolError,
  type Client,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { ErrorCode } from '../../lib/core/protocol/error-codes.js';
import { computeDelay, type BackOff } from '../../lib/core/waiting/back-off.js';
import { declares } from './extensions.js';
import { LoginNeededError } from './login.js';
import { pause } from './pause.js';

/** Tells whether a notification says that a list has changed. */
export function isListChanged(method: string): boolean {
  return /^notifications\/(?:tools|resources|prompts|events)\/list_changed$/.test(method);
}

/** What the official client knows a subscription by, and what the working group's sketch of events adds. */
type ListFilter = SubscriptionFilter & { readonly eventsListChanged?: boolean };

const PAUSES: BackOff = { initialDelayMs: 1_000, maximumDelayMs: 30_000 };

/** A stream that stood for fewer milliseconds was no success. */
const BRIEF_MS = 10_000;

/** How long somebody listens, and who hears that changes may have been missed. */
export interface Listening {
  readonly signal: AbortSignal;
  readonly onReopen: () => void;
}

/**
 * Listens for changes of all lists of a server without sessions: on one stream, and on another whenever it ends, as it does when the server
 * starts again. Changes come as notifications. It never rejects.
 *
 * @see MCP 2026-07-28 basic/utilities/subscriptions
 */
export async function listenForChanges(
  client: Client,
  capabilities: ServerCapabilities,
  { signal, onReopen }: Listening,
): Promise<void> {
  const filter = buildFilter(capabilities);
  if (Object.keys(filter).length === 0) return;
  for (let attempt = 0, isAgain = false; !signal.aborted; attempt += 1, isAgain = true) {
    const beganAt = performance.now();
    try {
      const subscription = await client.listen(filter, { signal });
      if (isAgain) onReopen();
      await subscription.closed;
    } catch (error) {
      if (isFinal(error)) return;
    }
    if (performance.now() - beganAt > BRIEF_MS) attempt = 0;
    await pause(computeDelay(PAUSES, attempt), signal);
  }
}

function buildFilter(capabilities: ServerCapabilities): ListFilter {
  const { tools, resources, prompts } = capabilities;
  return {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(declares(capabilities, 'events') && { eventsListChanged: true }),
  };
}

/** What no further attempt would change. */
function isFinal(error: unknown): boolean {
  const isUnknown = error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound;
  return isUnknown || error instanceof LoginNeededError || error instanceof InsufficientScopeError;
}
