import type { ContentBlock, ResourceContents } from '../../index.js';
import { APP_SCHEME, isAppUri } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** The names and URIs under which the gateway offers one server's entries. */
export class EntryNames {
  constructor(
    private readonly prefix: string,
    private readonly uriPrefix: string,
    /** Returns whether the gateway offers one of the server's URIs. */
    private readonly offers: (uri: string) => boolean,
  ) {}

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
