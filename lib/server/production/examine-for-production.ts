import type { INestApplicationContext } from '@nestjs/common';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { ACCESS_CHECKS, OPERATION_CHECKS } from './settings-checks.js';
import type { SettingsCheck, ProductionFinding } from './production-check.js';
import { readDeployment } from './deployment.js';
import { DEPLOYMENT_CHECKS } from './deployment-checks.js';

const SETTINGS_CHECKS: readonly SettingsCheck[] = [...ACCESS_CHECKS, ...OPERATION_CHECKS];

/** Options of an examination. */
export interface ProductionExamination {
  /**
   * Whether the application is created as in `main.ts`. Otherwise the checks of what `main.ts` does are left out.
   * @default true
   */
  readonly isWhole?: boolean;
}

/**
 * Examines the settings of an application's servers before production, as `nestjs-mcp-cli doctor --production` does. It
 * only reads settings. It does not call, start or send anything.
 *
 * @throws {RangeError} if the application has no server of this package
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
  const identities = findAll(app, SERVER_IDENTITY) as readonly ServerIdentity[];
  const settings = findAll(app, SERVER_SETTINGS) as readonly ServerSettings[];
  const servers = settings.map((one, index) => ({ name: identities[index]?.server ?? '', settings: one }));
  if (servers.length === 0) throw new RangeError('The application has no server: it imports no "McpModule"');
  return servers;
}

/** Nest throws if nothing is found. */
function findAll(app: INestApplicationContext, token: symbol): readonly unknown[] {
  try {
    return app.get<unknown>(token, { strict: false, each: true });
  } catch {
    return [];
  }
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
