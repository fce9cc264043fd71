import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { findHostProblems, formatHostProblem } from '../../../core/protocol/hosts/find-host-problems.js';
import type { ToolDefinition } from '../../../core/protocol/definitions.js';
import { oncePerTick } from '../../../core/async/timers.js';
import type { CatalogSettings } from '../../settings/catalog-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ToolEntry } from '../entries.js';
import type { ToolRegistry } from '../registries.js';
import { listTool } from '../search/listed-tools.js';

/**
 * The maximum number of problems to log per tool, and of tools to log per server, whose tools may change while it
 * runs.
 */
const MOST_PROBLEMS = 3;
const MOST_TOOLS = 50;

/**
 * Warns once for each tool that common hosts refuse. The whole conversation then fails in these hosts, without the
 * server noticing.
 */
export class HostReport implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('Mcp');
  readonly #logged = new Set<string>();
  #seen = new WeakSet<ToolEntry>();
  #subscription: Subscription | undefined;

  constructor(
    private readonly tools: ToolRegistry,
    private readonly settings: Pick<ServerSettings, 'catalog'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.catalog.hostWarnings === false) return;
    this.#report();
    // Many tools may be added together.
    this.#subscription = this.tools.changes$.subscribe(oncePerTick(() => this.#report()));
  }

  onModuleDestroy(): void {
    this.#subscription?.unsubscribe();
  }

  #report(): void {
    for (const tool of this.tools.list()) {
      if (this.#seen.has(tool)) continue;
      this.#seen.add(tool);
      const line = describe(listTool(tool, this.settings.catalog), this.settings.catalog.hostWarnings);
      if (line === undefined || this.#logged.has(line) || this.#logged.size >= MOST_TOOLS) continue;
      this.#logged.add(line);
      this.#logger.warn(line);
    }
  }
}

function describe(tool: ToolDefinition, warned: CatalogSettings['hostWarnings']): string | undefined {
  const problems = findHostProblems(tool)
    .filter(({ hosts }) => typeof warned === 'boolean' || hosts.some((host) => warned.includes(host)))
    .map(formatHostProblem);
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, MOST_PROBLEMS);
  if (problems.length > MOST_PROBLEMS) shown.push(`and ${problems.length - MOST_PROBLEMS} more`);
  return `Some hosts reject every conversation that includes the tool "${tool.name}": ${shown.join('; ')}`;
}
