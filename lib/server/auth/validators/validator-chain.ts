import type { OnModuleInit } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { Logger } from '../../../core/logger/logger.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { KeyFetchTracing } from '../../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.js';
import type { FetchTrace } from '../keys/fetch-document.js';
import { CustomValidator } from './custom.validator.js';
import { StaticBearerValidator } from './static-bearer.validator.js';
import type { Validator } from './validator.interface.js';

/** The time limit for the application's own validator, in milliseconds, unless `callTimeoutMs` is set. */
const LONGEST_VALIDATION_MS = 10_000;

/** A server's validators, in the order in which they run. Validators that use the network run last. */
export class ValidatorChain implements OnModuleInit {
  #validators: readonly Validator[] = [];

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly settings: ServerSettings,
    private readonly telemetry?: ServerTelemetry,
  ) {}

  get all(): readonly Validator[] {
    return this.#validators;
  }

  async onModuleInit(): Promise<void> {
    const { auth } = this.settings;
    if (auth !== undefined) this.#validators = await this.#create(auth);
  }

  async #create({ bearer, jwt, validator, introspection }: AuthSettings): Promise<readonly Validator[]> {
    return [
      ...(bearer.length > 0 ? [new StaticBearerValidator(bearer)] : []),
      ...(await createJwtValidators(jwt, this.telemetry)),
      ...(validator === undefined ? [] : [this.#createCustom(validator)]),
      ...(introspection === undefined ? [] : [await createIntrospectionValidator(introspection)]),
    ];
  }

  #createCustom(given: NonNullable<AuthSettings['validator']>): CustomValidator {
    const { auth, callTimeoutMs } = this.settings;
    return new CustomValidator(
      this.#findCustom(given),
      callTimeoutMs ?? LONGEST_VALIDATION_MS,
      auth?.dpop !== undefined,
    );
  }

  #findCustom(given: NonNullable<AuthSettings['validator']>) {
    if (typeof given !== 'function') return given;
    try {
      return this.moduleRef.get(given, { strict: false });
    } catch (error) {
      throw new McpConfigurationError(
        'auth.validator',
        `is "${given.name}", which no module provides as a singleton: add it to the "providers" of a module`,
        { cause: error },
      );
    }
  }
}

/** The code for JWTs is loaded only if they are accepted. */
async function createJwtValidators(
  settings: AuthSettings['jwt'],
  telemetry: ServerTelemetry | undefined,
): Promise<readonly Validator[]> {
  if (settings.length === 0) return [];
  const { JwtValidator } = await import('./jwt/jwt.validator.js');
  const create = async (entry: JwtSettings) => {
    const tracing = await loadKeyFetchTracing(entry);
    const validator = new JwtValidator(entry, telemetry ? measureFetches(telemetry, tracing) : tracing);
    if (entry.jwks.prefetch) validator.prefetchKeys();
    return validator;
  };
  return Promise.all(settings.map(create));
}

/** The code for introspection is loaded only if it is configured. */
async function createIntrospectionValidator(
  settings: NonNullable<AuthSettings['introspection']>,
): Promise<Validator> {
  const { IntrospectionValidator } = await import('./introspection/introspection.validator.js');
  return new IntrospectionValidator(settings);
}

/** Measures fetches, and traces them if configured. */
function measureFetches(telemetry: ServerTelemetry, tracing: FetchTrace | undefined): FetchTrace {
  return {
    runFetch: (url, act) =>
      telemetry.measureFetch(url, () => (tracing === undefined ? act() : tracing.runFetch(url, act))),
  };
}

async function loadKeyFetchTracing({
  jwksTracerProvider,
}: JwtSettings): Promise<KeyFetchTracing | undefined> {
  const option = 'auth.jwt.jwksTracerProvider';
  return (
    jwksTracerProvider &&
    KeyFetchTracing.load({ provider: jwksTracerProvider, option, logger: new Logger('McpAuth') })
  );
}
