import { existsSync } from 'node:fs';
import type { Finding } from '../../../lib/core/doctor/finding.js';
import { readModuleReport } from '../../module/module-report.js';
import { judgeServerJson } from '../../server-json/judge-server-json.js';
import { SERVER_JSON } from '../../server-json/server-json-files.js';

/**
 * Examines the settings of the application of a file, and the `server.json` of this folder if there is one.
 *
 * @throws {UsageError} if the file or its export is not there
 * @throws {UnexaminedError} if the application cannot be made
 */
export async function examineModule(target: string): Promise<readonly Finding[]> {
  const { findings, servers } = await readModuleReport(target);
  if (!existsSync(SERVER_JSON)) return findings;
  return [...findings, { id: 'server-json', ...judgeServerJson(servers) }];
}
