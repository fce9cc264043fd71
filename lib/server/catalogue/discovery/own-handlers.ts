import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import type { CompleteOptions } from '../../settings/handler-options.interface.js';
import type { HandlerHost } from './handler.explorer.js';
import type { ServerAssignments } from './server-assignments.js';

/** Tells which handlers of the application belong to one server. */
export class OwnHandlers {
  /** What the tags of handlers keep from this server, which has others of the same class. */
  readonly #leftOut = new Set<string>();

  constructor(
    private readonly assignments: ServerAssignments,
    private readonly server: string,
  ) {}

  /** Tells whether a handler belongs to the server. A completion goes where what it completes is, which may be read after it. */
  has(host: HandlerHost, { kind, options }: HandlerMetadata, methodName: string): boolean {
    if (kind === 'completion') {
      return this.assignments.belongs(host, this.server) || this.assignments.mayShare(host, this.server);
    }
    // Anything else than a list is refused when the entry is built.
    const tags = Array.isArray(options.tags) ? options.tags : [];
    const isOurs = this.assignments.belongs(host, this.server, tags);
    if (isOurs || !this.assignments.mayShare(host, this.server)) return isOurs;
    if (kind === 'prompt') this.#leftOut.add(formatSubject('prompt', options.name ?? methodName));
    if (kind === 'resourceTemplate') this.#leftOut.add(formatSubject('template', options.uriTemplate));
    return false;
  }

  /** Tells whether tags exclude the prompt or the template of a completion from the server. */
  leavesOut(options: CompleteOptions): boolean {
    return this.#leftOut.has(
      'prompt' in options
        ? formatSubject('prompt', options.prompt)
        : formatSubject('template', options.resourceTemplate),
    );
  }
}

function formatSubject(kind: 'prompt' | 'template', key: string): string {
  return `${kind} ${key}`;
}
