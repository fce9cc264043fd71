import type { INestApplicationContext } from '@nestjs/common';
import { SERVER_IDENTITY, SERVER_SETTINGS, type ServerIdentity } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { ACCESS_CHECKS } from './access-checks.js';
import { OPERATION_CHECKS } from './operation-checks.js';
import type { SettingsCheck } from './production-check.js';
import type { ProductionFinding } from './production-finding.interface.js';
import { readSurroundings } from './surroundings.js';
import { SURROUNDINGS_CHECKS } from './surroundings-checks.js';

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
  const surroundings = readSurroundings(app, isWhole);
  const settings = servers.map((server) => server.settings);
  return [
    ...SETTINGS_CHECKS.flatMap((check) => servers.flatMap((server) => judge(check, server, servers.length))),
    ...SURROUNDINGS_CHECKS.flatMap(({ id, judge: judgeThem }) => {
      const judgement = judgeThem(surroundings, settings);
      return judgement === undefined ? [] : [{ id, ...judgement }];
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
function judge(
  check: SettingsCheck,
  { name, settings }: FoundServer,
  count: number,
): readonly ProductionFinding[] {
  const judgement = check.judge(settings);
  if (judgement === undefined) return [];
  const found = count > 1 ? `Server "${name}": ${judgement.found}` : judgement.found;
  return [{ id: check.id, ...judgement, found }];
}
