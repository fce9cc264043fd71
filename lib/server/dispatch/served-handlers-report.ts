import { Logger } from '../../core/logger/logger.js';
import type { HandlerInvoker } from '../catalog/invocation/handler-invoker.js';
import type { Registries } from '../catalog/registries.js';
import { DEFAULT_SERVER, type ServerIdentity } from '../settings/mcp.constants.js';
import type { MethodTable } from './method-table.js';

/** Logs what a server serves, so that missing handlers are noticed at startup rather than by clients. */
export class ServedHandlersReport {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly identity: ServerIdentity,
    private readonly registries: Registries,
    private readonly methods: MethodTable,
    private readonly invoker: HandlerInvoker,
  ) {}

  /**
   * Logs the report. Call it once the application has started and has added its dynamic handlers.
   *
   * @param location where it is served, for example `at /mcp`
   */
  log(location: string): void {
    const { server, isDefault } = this.identity;
    const offer = this.#describe();
    if (offer !== '') {
      this.#logger.log(`Server "${server}": ${offer} ${location}`);
      return this.#logLeftOut(server);
    }
    const isSurelyDefault = isDefault || server === DEFAULT_SERVER;
    const assignment = ', and in "McpModule.forFeature" unless they belong to the default server';
    this.#logger.warn(
      `Server "${server}" serves nothing: list the classes with @Tool() in "providers"${isSurelyDefault ? '' : assignment}`,
    );
  }

  #logLeftOut(server: string): void {
    const left = this.invoker.listLeftOut();
    if (left === undefined) return;
    this.#logger.log(
      `Server "${server}" does not run these global enhancers on handlers: ${left}. Use "globalEnhancers" to choose which ones run`,
    );
  }

  #describe(): string {
    const listed = [
      this.registries.tools,
      this.registries.resources,
      this.registries.templates,
      this.registries.prompts,
    ]
      .filter(({ size }) => size > 0)
      .map(({ kind, size }) => `${size} ${kind}${size === 1 ? '' : 's'}`);
    if (listed.length === 0 && this.methods.hasAdded) return 'extension methods';
    if (listed.length === 0 && this.#isExpecting()) return 'handlers added later';
    return listed.join(', ');
  }

  #isExpecting(): boolean {
    const { tools, resources, templates, prompts } = this.registries;
    return [tools, resources, templates, prompts].some(({ isExpecting }) => isExpecting);
  }
}
