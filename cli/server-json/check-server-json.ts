import type { ServerDescription } from '../../lib/index.js';
import { failure, ok, type Outcome, quote, warning } from '../../lib/core/doctor/finding.js';
import { UsageError } from '../usage.error.js';
import { buildServerJson } from './build-server-json.js';
import { listDifferences } from './list-differences.js';
import { readDocument, readManifest, SERVER_JSON } from './server-json-files.js';
import { ServerJsonError } from './server-json.error.js';

/**
 * Checks whether this folder's `server.json` is up to date for one of the application's
 * servers.
 */
export function checkServerJson(servers: readonly ServerDescription[]): Outcome {
  const fix = 'Create it again with "nestjs-mcp-cli server-json <file> --write"';
  try {
    const manifest = readManifest('package.json');
    const written = readDocument(SERVER_JSON);
    if (written === undefined) return failure(`"${SERVER_JSON}" is not JSON`, fix);
    const differing = servers.map((server) => listDifferences(written, buildServerJson(server, manifest)));
    const fewest = differing.toSorted((one, other) => one.length - other.length)[0] ?? [];
    if (fewest.length === 0) return ok(`"${SERVER_JSON}" matches the settings`);
    return warning(`"${SERVER_JSON}" is out of date: ${fewest.map(quote).join(', ')}`, fix);
  } catch (error) {
    if (error instanceof ServerJsonError) {
      return failure(`"${SERVER_JSON}" cannot be created: ${error.complaints[0] ?? ''}`, fix);
    }
    if (error instanceof UsageError) return warning(error.message, fix);
    throw error;
  }
}
