import { Logger } from '../../../core/logger/logger.js';
import { isLoopbackUrl } from '../../../core/oauth/secure-url.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { AdapterRequest } from '../auth-state.js';
import { findPublishedResource, type PublishedResource } from '../metadata/resource-metadata.js';
import { quoteValue } from '../quote-value.js';

/** Warns once if clients connect through a proxy, but the metadata points them to their own machine. */
export class ProxyWarning {
  readonly #logger = new Logger('McpAuth');
  /** The published resource; absent if it is not on loopback, or the warning was logged. */
  #resource: PublishedResource | undefined;

  constructor({ auth }: ServerSettings) {
    const resource = findPublishedResource(auth);
    if (resource !== undefined && isLoopbackUrl(resource.uri)) this.#resource = resource;
  }

  /** Checks a refused request. Its client is about to read the metadata. */
  check(headers: AdapterRequest['headers']): void {
    if (this.#resource === undefined) return;
    const host = findForwardedHost(headers);
    if (host === undefined || isLoopbackUrl(`http://${host}`)) return;
    this.#logger.warn(
      `"${this.#resource.option}" is ${quoteValue(this.#resource.uri)}, but a proxy forwards requests for ${quoteValue(host)}: set it to the URL that clients use for the endpoint`,
    );
    this.#resource = undefined;
  }
}

/** Returns the host that the client requested from the first proxy (RFC 7239 §5.3). */
function findForwardedHost(headers: AdapterRequest['headers']): string | undefined {
  const standard = readFirst(headers['forwarded']);
  const host = /(?:^|;)\s*host="?([^";\s]+)/i.exec(standard)?.[1] ?? readFirst(headers['x-forwarded-host']);
  return URL.canParse(`http://${host}`) && /^[\w.:[\]-]+$/.test(host) ? host : undefined;
}

function readFirst(header: AdapterRequest['headers'][string] = ''): string {
  const [line = ''] = [header].flat();
  return line.split(',', 1)[0]?.trim() ?? '';
}
