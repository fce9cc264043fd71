import type { INestApplicationContext } from '@nestjs/common';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { ACCESS_CHECKS, OPERATION_CHECKS } from './settings-checks.js';
import type { SettingsCheck, ProductionFinding } from './production-check.js';
import { findProvided } from '../catalog/discovery/providers.js';
import { readDeployment } from './deployment.js';
import { DEPLOYMENT_CHECKS } from './deployment-checks.js';

const SETTINGS_CHECKS: readonly SettingsCheck[] = [...ACCESS_CHECKS, ...OPERATION_CHECKS];

/** Options of `examineForProduction()`. */
export interface ProductionExamination {
  /**
   * Whether the application is created as in `main.ts`. Otherwise, checks of `main.ts` are skipped.
   * @default true
   */
  readonly isWhole?: boolean;
}

/**
 * Examines the settings of an application's servers before production, as `nestjs-mcp-cli doctor --production` does.
 * It only reads settings, and does not call, start or send anything.
 *
 * @throws {RangeError} if the application has neither a server from this package nor an authorization server
 * @example
 * const app = await createApp();
 * expect(examineForProduction(app).filter(({ status }) => status === 'error')).toEqual([]);
 */
export function examineForProduction(
  app: INestApplicationContext,
  { isWhole = true }: ProductionExamination = {},
): readonly ProductionFinding[] {
  const servers = findServers(app);
  const deployment = readDeployment(app, isWhole);
  if (servers.length === 0 && deployment.authorizationServers.length === 0)
    throw new RangeError('The application has no server, because it does not import "McpModule"');
  const settings = servers.map((server) => server.settings);
  return [
    ...SETTINGS_CHECKS.flatMap((check) => servers.flatMap((server) => run(check, server, servers.length))),
    ...DEPLOYMENT_CHECKS.flatMap(({ id, run: check }) => {
      const result = check(deployment, settings);
      return result === undefined ? [] : [{ id, ...result }];
    }),
  ];
}

interface FoundServer {
  readonly name: string;
  readonly settings: ServerSettings;
}

function findServers(app: INestApplicationContext): readonly FoundServer[] {
  const identities = findProvided<ServerIdentity>(app, SERVER_IDENTITY);
  const settings = findProvided<ServerSettings>(app, SERVER_SETTINGS);
  return settings.map((one, index) => ({ name: identities[index]?.server ?? '', settings: one }));
}

/** Names the server if there are several. */
function run(
  check: SettingsCheck,
  { name, settings }: FoundServer,
  count: number,
): readonly ProductionFinding[] {
  const result = check.run(settings);
  if (result === undefined) return [];
  const found = count > 1 ? `Server "${name}": ${result.found}` : result.found;
  return [{ id: check.id, ...result, found }];
}
