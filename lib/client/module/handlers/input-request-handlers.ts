import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import {
  assertProperties,
  type Checks,
  flag,
  nonEmptyString,
  OptionError,
} from '../../../core/checks/option-checks.js';
import { findPrototype } from '../../../core/classes/find-prototype.js';
import { quoteAll } from '../../../core/words/words.js';
import { findClientName } from '../client-module.constants.js';
import { McpClientConfigurationError } from '../errors.js';
import { InputRequestHandlerCreator, type HandleInputRequest } from './input-request-handler-creator.js';
import {
  readClientHandlers,
  type ClientHandlerMetadata,
  type InputRequestKind,
} from './input-request-metadata.js';

/** A method that handles input requests. */
interface InputRequestHandler extends ClientHandlerMetadata {
  /** `<class>.<method>` */
  readonly location: string;
  readonly handle: HandleInputRequest;
}

/** Finds the methods on the application's providers that handle servers' input requests. */
@Injectable()
export class InputRequestHandlers {
  #handlers: ReadonlyMap<string, InputRequestHandler> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly creator: InputRequestHandlerCreator,
  ) {}

  /**
   * Finds a client's handler for a kind of input request. A handler for the client takes precedence over one for all
   * clients.
   */
  find(client: string, kind: InputRequestKind): InputRequestHandler | undefined {
    const handlers = (this.#handlers ??= this.#load());
    return handlers.get(formatKey(kind, client)) ?? handlers.get(formatKey(kind, undefined));
  }

  /**
   * Checks the handlers.
   *
   * @param registered the names of the created clients; others are only declared, through their tokens
   * @throws {McpClientConfigurationError} if two of them handle the same input requests, or one is for an unknown
   * client
   */
  assertFor(registered: readonly string[]): void {
    this.#handlers ??= this.#load();
    const clients = new Set([...registered, ...this.#findDeclared()]);
    for (const { client, kind, location } of this.#handlers.values()) {
      if (client === undefined || clients.has(client)) continue;
      const known = quoteAll(clients);
      throw new McpClientConfigurationError(
        location,
        `handles ${kind} for the client "${client}", which is not one of ${known}`,
      );
    }
  }

  /** If a test overrides a client, it is not created, but its token exists. */
  #findDeclared(): string[] {
    return this.discovery.getProviders().flatMap(({ token }) => findClientName(token) ?? []);
  }

  #load(): ReadonlyMap<string, InputRequestHandler> {
    const handlers = new Map<string, InputRequestHandler>();
    for (const handler of this.discovery.getProviders().flatMap((host) => this.#explore(host))) {
      const key = formatKey(handler.kind, handler.client);
      const present = handlers.get(key);
      if (present !== undefined) {
        const whom = handler.client === undefined ? 'every client' : `the client "${handler.client}"`;
        throw new McpClientConfigurationError(
          handler.location,
          `handles ${handler.kind} for ${whom}, but so does "${present.location}": remove one of the two`,
        );
      }
      handlers.set(key, handler);
    }
    return handlers;
  }

  #explore(host: InstanceWrapper): InputRequestHandler[] {
    const prototype = host.isAlias ? undefined : findPrototype(host);
    if (prototype === undefined) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((methodName) => {
      const method: unknown = Reflect.get(prototype, methodName);
      const found = typeof method === 'function' ? readClientHandlers(method) : [];
      const location = `${prototype.constructor.name}.${methodName}`;
      return found.map((metadata) => {
        assertHandlerOptions(location, metadata);
        return { ...metadata, location, handle: this.creator.create(host, methodName) };
      });
    });
  }
}

function formatKey(kind: InputRequestKind, client: string | undefined): string {
  return client === undefined ? kind : `${kind}:${client}`;
}

const CHECKS: Readonly<Record<InputRequestKind, Checks>> = {
  elicitation: { client: nonEmptyString, url: flag },
  sampling: { client: nonEmptyString },
  roots: { client: nonEmptyString },
};

const DECORATORS: Readonly<Record<InputRequestKind, string>> = {
  elicitation: '@McpElicitation()',
  sampling: '@McpSampling()',
  roots: '@McpRoots()',
};

/**
 * Checks a handler decorator's options.
 *
 * @param location the method, for error messages
 * @throws {McpClientConfigurationError} that names the method and the first invalid option
 */
function assertHandlerOptions(location: string, { kind, options }: ClientHandlerMetadata): void {
  try {
    assertProperties('', options, CHECKS[kind]);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new McpClientConfigurationError(
      location,
      `has an invalid option in ${DECORATORS[kind]}: ${error.message}`,
    );
  }
}
