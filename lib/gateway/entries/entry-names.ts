import type { ContentBlock, ResourceContents } from '../../index.js';
import { APP_SCHEME, isAppUri } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';

/** The names and URIs under which the gateway offers one server's entries. */
export class EntryNames {
  constructor(
    private readonly prefix: string,
    private readonly uriPrefix: string,
    /** Returns whether the gateway offers one of the server's URIs. */
    private readonly offers: (uri: string) => boolean,
    private readonly otherUriPrefixes: readonly string[] = [],
  ) {}

  /**
   * Asserts that a server without a prefix does not claim the URIs of other servers.
   *
   * @param uri the URI or URI template that the server lists
   * @throws {Error} if it could be, or match, a URI of another server
   */
  assertSeparate(uri: string): void {
    if (this.uriPrefix !== '') return;
    const [fixed = ''] = uri.split('{', 1);
    const isTemplate = fixed !== uri;
    if (isTemplate && !/^[a-z][a-z\d+.-]*:/i.test(fixed)) {
      throw new Error('without "uriPrefix", a template must start with a fixed scheme');
    }
    const start = normalizeUri(fixed).toLowerCase();
    const claimed = this.otherUriPrefixes
      .flatMap((prefix) => [prefix, `${APP_SCHEME}${prefix}`])
      .find((prefix) => start.startsWith(prefix) || (isTemplate && prefix.startsWith(start)));
    if (claimed !== undefined) {
      throw new Error(`URIs that start with "${claimed}" belong to another server: set "uriPrefix"`);
    }
  }

  /** Adds the prefix to a tool or prompt name. */
  formatName(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** Adds the prefix to a URI, or to a URI template. */
  formatUri(uri: string): string {
    // Hosts recognize apps by their scheme.
    if (isAppUri(uri)) return `${APP_SCHEME}${this.uriPrefix}${uri.slice(APP_SCHEME.length)}`;
    return `${this.uriPrefix}${uri}`;
  }

  /** Removes the prefix from a URI that a client sent. Clients may convert the scheme to lowercase. */
  parseUri(uri: string): string {
    if (isAppUri(uri)) return `${APP_SCHEME}${uri.slice(APP_SCHEME.length + this.uriPrefix.length)}`;
    return uri.slice(this.uriPrefix.length);
  }

  /** Rewrites resource links and embedded resources in content, so that clients can read them through the gateway. */
  rewriteContent(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
    return blocks.map((block) => this.rewriteBlock(block));
  }

  rewriteBlock(block: ContentBlock): ContentBlock {
    if (block.type === 'resource_link') return { ...block, uri: this.#rewriteUri(block.uri) };
    if (block.type !== 'resource' || !isObject(block.resource)) return block;
    return { ...block, resource: this.rewriteContents(block.resource) };
  }

  /** Rewrites the URI of resource contents. */
  rewriteContents(contents: ResourceContents): ResourceContents {
    return { ...contents, uri: this.#rewriteUri(contents.uri) };
  }

  /** Clients fetch web addresses themselves, unless the server offers them as resources (MCP server/resources, "Common URI Schemes"). */
  #rewriteUri(uri: string): string {
    return /^https?:/i.test(uri) && !this.offers(uri) ? uri : this.formatUri(uri);
  }
}
