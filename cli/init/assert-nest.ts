import { ApplicationError } from '../application/application.error.js';
import type { Manifest } from '../application/edit-manifest.js';
import type { Project } from '../application/project.interface.js';
import { findPackageManager } from '../dev/package-manager.js';

/** The oldest release of Nest that this package works with. */
const OLDEST = { major: 11, minor: 1, patch: 6 } as const;

/** The packages of Nest that are released together. */
const TOGETHER = [
  'common',
  'core',
  'platform-express',
  'platform-fastify',
  'microservices',
  'websockets',
  'platform-socket.io',
  'platform-ws',
  'testing',
].map((name) => `@nestjs/${name}`);

/** Package managers refuse the package beside an older Nest, unless they are forced. */
export function assertNest(project: Project, { findRange }: Manifest): void {
  const version = project.findVersion('@nestjs/core') ?? findOldMajor(findRange('@nestjs/core'));
  if (version === undefined || isRecent(version)) return;
  const manager = findPackageManager(project);
  const declared = TOGETHER.filter((name) => findRange(name) !== undefined).map(
    (name) => `${name}@${OLDEST.major}`,
  );
  const command = `${manager} ${manager === 'npm' ? 'install' : 'add'} ${declared.join(' ')}`;
  throw new ApplicationError(
    `"nestjs-mcp" needs Nest 11.1.6 or newer, and the application has ${version}: upgrade it first, with "${command}" and https://docs.nestjs.com/migration-guide`,
  );
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  if (major !== OLDEST.major) return major > OLDEST.major;
  return minor > OLDEST.minor || (minor === OLDEST.minor && patch >= OLDEST.patch);
}

/** If nothing is installed, a range of this major release may get any of its versions. */
function findOldMajor(range = ''): string | undefined {
  const [, version, major] = /^[\^~>=v\s]*((\d+)[\d.]*)/.exec(range) ?? [];
  return Number(major) < OLDEST.major ? version : undefined;
}
