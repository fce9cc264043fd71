import type { ToolEntry } from '../../catalogue/entries.js';
import type { RequestContext } from '../../context/request-context.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { showsApps } from '../lists/app-gate.js';

/**
 * Describes the result of a tool that returns no text, because only its app shows the result. A model, or a client
 * without apps, has nothing else.
 */
export function describeShown(
  { app, definition }: ToolEntry,
  context: RequestContext,
  settings: ServerSettings,
): string | undefined {
  if (app?.resourceUri === undefined) return undefined;
  const name = definition.title ?? definition.name;
  return showsApps(context, settings)
    ? `"${name}" is shown to the user as an app`
    : `"${name}" is done; it shows its result as an app, which this client does not show`;
}
