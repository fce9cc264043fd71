import type {
  ToolOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  PromptOptions,
  CompleteOptions,
  AppOptions,
} from '../settings/handler-options.interface.js';
import { addHandlerMetadata, getDecoratedMethod, type DecoratedTarget } from './handler-metadata.js';
import 'reflect-metadata';
import type { ToolAnnotations as Hints } from '../../core/protocol/definitions.js';
import {
  TOOL_ANNOTATIONS_METADATA,
  SKILL_METADATA,
  EVENT_SOURCE_METADATA,
} from '../settings/mcp.constants.js';
import type { SkillOptions, SkillSource } from '../settings/extensions/skills-options.js';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { EventSourceOptions } from '../settings/extensions/event-source-options.js';

/**
 * Makes a provider's method a tool.
 *
 * The method is called with the validated arguments and the context. It returns a string, content, a full result, a
 * plain object (structured content), or a promise or an Observable of these. The last value of an Observable is used.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class TicketTools { @Tool({ description: 'Closes a ticket by its number', inputSchema: z.object({ id: z.number() }) })
 *   async close({ id }: { id: number }): Promise<string> {
 *     await this.tickets.close(id);
 *     return `Ticket ${id} is closed`;
 *   }
 * }
 *
 * @see MCP server/tools
 */
export function Tool(options: ToolOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'tool', options });
}

/** Hints on what a tool does (MCP `ToolAnnotations`). */
export type ToolAnnotations = Hints;

/**
 * Adds hints to a tool, or to every tool of a class and its subclasses. Hints on a method override those on its
 * class, and the `annotations` option of `@Tool()` overrides both, hint by hint.
 *
 * @example
 * class ReportTools { @Tool({ description: 'Reads the report of a year' }) @ToolAnnotations({ readOnlyHint: true })
 *   read({ year }: { year: number }) {
 *     return this.reports.read(year);
 *   }
 * }
 *
 * @see MCP server/tools
 */
export function ToolAnnotations(annotations: ToolAnnotations): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol): void => {
    const merged = { ...readAnnotations(target, name), ...annotations };
    if (name === undefined) Reflect.defineMetadata(TOOL_ANNOTATIONS_METADATA, merged, target);
    else Reflect.defineMetadata(TOOL_ANNOTATIONS_METADATA, merged, target, name);
  };
}

/** Returns the hints that decorators on a class and on one of its methods declare, or `undefined` if there are none. */
export function readToolAnnotations(classRef: object, methodName: string): ToolAnnotations | undefined {
  const ofClass = readAnnotations(classRef);
  const prototype: unknown = Reflect.get(classRef, 'prototype');
  const ofMethod =
    typeof prototype === 'object' && prototype !== null ? readAnnotations(prototype, methodName) : undefined;
  return ofClass === undefined && ofMethod === undefined ? undefined : { ...ofClass, ...ofMethod };
}

/** Also reads inherited metadata. */
function readAnnotations(target: object, name?: string | symbol): ToolAnnotations | undefined {
  return name === undefined
    ? Reflect.getMetadata(TOOL_ANNOTATIONS_METADATA, target)
    : Reflect.getMetadata(TOOL_ANNOTATIONS_METADATA, target, name);
}

/**
 * Makes a provider's method a resource.
 *
 * The method is called with `{ uri }` and the context. It returns a string, an object (JSON), bytes, a stream, full
 * contents, or a promise or an Observable of these. The last value of an Observable is used.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class TicketResources { @Resource({ uri: 'desk://open', description: 'All open tickets' })
 *   readOpen(): Promise<Ticket[]> {
 *     return this.tickets.findOpen();
 *   }
 * }
 *
 * @see MCP server/resources
 */
export function Resource(options: ResourceOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'resource', options });
}

/**
 * Makes a provider's method serve the resources whose URIs match a template.
 *
 * The method is called with `{ uri, ...variables }` and the context. It may return what a method with `@Resource()`
 * returns.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class TicketResources { @ResourceTemplate({ uriTemplate: 'ticket://{id}', mimeType: 'application/json' })
 *   readTicket({ id }: { id: string }): Promise<Ticket> {
 *     return this.tickets.get(id);
 *   }
 * }
 *
 * @see MCP server/resources, "Resource Templates"; RFC 6570
 */
export function ResourceTemplate(options: ResourceTemplateOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'resourceTemplate', options });
}

/**
 * Makes a provider's method a prompt.
 *
 * The method is called with the arguments and the context. It returns a string, one message, several, a full result, or
 * a promise or an Observable of these. The last value of an Observable is used.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class TicketPrompts { @Prompt({ description: 'Answers a ticket', arguments: [{ name: 'id', required: true }] })
 *   async answer({ id }: { id: string }): Promise<string> {
 *     return `Answer this ticket: ${await this.tickets.describe(id)}`;
 *   }
 * }
 *
 * @see MCP server/prompts
 */
export function Prompt(options: PromptOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'prompt', options });
}

/**
 * Makes a provider's method suggest values for an argument of a prompt or a variable of a resource template. One method
 * may complete several.
 *
 * The method is called with `{ value, name, arguments }` and the context. It returns the values, `{ values, total, hasMore }`,
 * or a promise or an Observable of these. The last value of an Observable is used.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class TicketCompletions { @Complete({ resourceTemplate: 'ticket://{id}', argument: 'id' })
 *   completeId({ value }: { value: string }): Promise<string[]> {
 *     return this.tickets.findIds({ startingWith: value });
 *   }
 * }
 *
 * @see MCP server/utilities/completion
 */
export function Complete(options: CompleteOptions): MethodDecorator {
  return addHandlerMetadata({ kind: 'completion', options });
}

/**
 * Makes a provider's method an app: a page that hosts show next to the conversation. A tool refers to the app for its
 * results in its `ui` option.
 *
 * The method is called with `{ uri, html }` and the context. It returns the page as a string or bytes, or a promise
 * or an Observable of it. If the app has a `file` or a `directory`, `html` is the page read from there, which is
 * served if the method returns nothing.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * // A tool shows it with `ui: 'board'`.
 * class Board { @App({ directory: 'dist/board', csp: { connectDomains: ['https://api.example.com'] } })
 *   board() {}
 * }
 *
 * @see SEP-1865, "UI Resource Format"
 */
export function App(options: AppOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'app', options });
}

/** The valid targets for `@Skill()`: a method, a class with a method `contents`, or any class if `directory` is set. */
export interface SkillDecorator {
  (target: object, name: string | symbol, descriptor: PropertyDescriptor): void;
  (target: new (...dependencies: never[]) => SkillSource | object): void;
}

/**
 * Makes a method or a class a skill: instructions for a model, with accompanying files.
 *
 * The method returns the instructions as Markdown, or a `SkillContents` with additional files. It is called once,
 * when the server starts. With `dynamic`, it is called for each caller that reads the skill. A class has a method
 * `contents` for this, or serves a folder with a `SKILL.md`.
 *
 * @throws {TypeError} if it is on a static method or a property
 * @example
 * class ReportSkills { @Skill({ description: 'Write the weekly report. Use when somebody asks how the week went.' })
 *   weeklyReport() {
 *     return '1. Call the tool `report` …';
 *   }
 * }
 *
 * @see MCP extension skills
 */
export function Skill(options: SkillOptions = {}): SkillDecorator {
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const isOfClass = name === undefined && typeof target === 'function';
    const decorated = isOfClass ? target : getDecoratedMethod('@Skill()', target, name, descriptor);
    Reflect.defineMetadata(SKILL_METADATA, options, decorated);
  };
}

/**
 * Makes a provider's method an event source. Events are experimental: the server serves them if the `events` option
 * is set.
 *
 * The method is called once, without arguments, and returns an Observable of plain objects. All listeners share its
 * events, and `filter` decides which listener receives which event.
 *
 * @throws {TypeError} unless it is on an instance method
 * @example
 * class Incidents { @EventSource({ name: 'incident.created', payloadSchema: z.object({ id: z.string() }) })
 *   created(): Observable<{ id: string }> {
 *     return this.pager.incidents$;
 *   }
 * }
 */
export function EventSource<Payload extends object = OpenObject>(
  options: EventSourceOptions<Payload> = {},
): MethodDecorator {
  return (...decorated: DecoratedTarget) => {
    const method = getDecoratedMethod('@EventSource()', ...decorated);
    Reflect.defineMetadata(EVENT_SOURCE_METADATA, options, method);
  };
}
