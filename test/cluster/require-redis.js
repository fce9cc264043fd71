import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['redis-server', 'valkey-server'];

/** Fails once, and says what to do, if there is no Redis on the machine. */
export default function requireRedis() {
  process.env.REDIS_SERVER ||= findOnPath();
  const { REDIS_SERVER } = process.env;
  if (existsSync(REDIS_SERVER)) return;
  throw new Error(
    `There is no Redis${REDIS_SERVER && ` at "${REDIS_SERVER}"`}: install it, on Debian by "apt-get install -y redis-server", or say by REDIS_SERVER where "redis-server" or "valkey-server" is`,
  );
}

function findOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? '';
}
