import type { INestApplicationContext } from '@nestjs/common';
import type { ComposedServer } from '../../../lib/server/composition/composed-server.js';
import type { Server } from '../../../lib/server/composition/create-server.js';
import { COMPOSED_SERVER } from '../../../lib/server/settings/mcp.constants.js';

/**
 * Gives the parts of an application's server that Nest does not know. For what no client and no public class shows: use that first.
 */
export function getParts(app: Pick<INestApplicationContext, 'get'>): Server {
  return app.get<ComposedServer>(COMPOSED_SERVER, { strict: false }).parts;
}
