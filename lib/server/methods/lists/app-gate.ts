import { declaresApps } from '../../../core/protocol/apps/app-meta.js';
import type { CatalogEntry, ToolEntry } from '../../catalog/entries.js';
import type { RequestContext } from '../../context/request-context.js';
import { isWithoutSession } from '../../sessions/session-opening.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/**
 * Tells whether a client gets apps. Its revision must support them. The client must also have declared them, unless the
 * server keeps no handshakes and cannot know. Clients ignore what they do not know.
 */
export function showsApps(
  { client, peer, revision }: Pick<RequestContext, 'client' | 'peer' | 'revision'>,
  { apps }: Pick<ServerSettings, 'apps'>,
): boolean {
  if (!revision.defines.definitionMeta) return false;
  return apps.showToAll || declaresApps(client.capabilities) || isWithoutSession(peer);
}

/** Tells whether an entry has to do with an app. */
export function isOfApp(entry: CatalogEntry): boolean {
  return 'app' in entry && entry.app !== undefined;
}

/** Tells whether only an app may call a tool. A client without apps would offer the tool to its model. */
export function isForAppsAlone({ app }: Pick<ToolEntry, 'app'>): boolean {
  return app?.visibility !== undefined && !app.visibility.includes('model');
}
