import { isLoopbackUrl } from '../../core/oauth/secure-url.js';

/** Who sees the messages of unexpected errors: everybody, nobody, or callers on this machine. */
export type ExposeErrors = boolean | 'local';

/** Environments in which applications answer as they do in production. Tests assert what callers get there. */
const AS_IN_PRODUCTION: ReadonlySet<string | undefined> = new Set(['production', 'test']);

/** Selects the default. Clients of a server with a public URL come by a proxy, which may look like this machine. */
export function selectExposure(publicUrl: string | undefined): ExposeErrors {
  if (AS_IN_PRODUCTION.has(process.env['NODE_ENV'])) return false;
  return publicUrl === undefined || isLoopbackUrl(publicUrl) ? 'local' : false;
}
