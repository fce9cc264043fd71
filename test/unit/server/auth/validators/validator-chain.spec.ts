import { Injectable, Scope, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ValidatorChain } from '../../../../../lib/server/auth/validators/validator-chain.js';
import { McpConfigurationError } from '../../../../../lib/server/settings/mcp-configuration.error.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { RecordedTraces } from '../../../../support/records/recorded-traces.js';
import { buildSettings } from '../../../support/settings.js';

const FIXED = 'a-fixed-token-of-the-desk';
const RESOURCE = 'https://desk.example.com/mcp';
const validator = { validate: () => ({ sub: 'bob' }) };

@Injectable()
class KeyTable {
  validate() {
    return { sub: 'bob' };
  }
}

let issuer: TestIssuer;

beforeEach(async () => {
  issuer = await TestIssuer.start();
});

afterEach(() => issuer.stop());

class Elsewhere {}

/** Creates the chain of a server in an application another module of which has these providers. */
async function createChain(auth?: AuthOptions, providers: Provider[] = []): Promise<ValidatorChain> {
  const imports = [{ module: Elsewhere, providers }];
  const module = await Test.createTestingModule({ imports }).compile();
  const chain = new ValidatorChain(
    module.get(ModuleRef, { strict: true }),
    buildSettings(auth === undefined ? {} : { auth }),
  );
  expect(chain.all).toEqual([]);
  await chain.onModuleInit();
  return chain;
}

const methodsOf = ({ all }: ValidatorChain) => all.map(({ method }) => method);

describe('ValidatorChain', () => {
  it('is empty where the server is open (AUTH-01)', async () => {
    expect((await createChain()).all).toEqual([]);
  });

  it('asks last what goes over the network (AUTH-18)', async () => {
    const chain = await createChain({
      introspection: { clientId: 'desk', clientSecret: 'hush' },
      validator,
      jwt: [{}, { audience: 'other' }],
      bearer: [FIXED, 'another-fixed-token'],
      resourceUri: RESOURCE,
      authorizationServers: [issuer.url],
    });
    expect(methodsOf(chain)).toEqual(['bearer', 'jwt', 'jwt', 'custom', 'introspection']);
  });

  it.each<[string, AuthOptions]>([
    ['bearer', { bearer: FIXED }],
    ['custom', { validator }],
    ['jwt', { jwt: {}, resourceUri: RESOURCE, authorizationServers: ['https://login.example.com'] }],
  ])('has what is configured and nothing else: %s (AUTH-18)', async (method, auth) => {
    expect(methodsOf(await createChain(auth))).toEqual([method]);
  });

  it('finds a validator that is a class among the providers (AUTH-13)', async () => {
    const [custom] = (await createChain({ validator: KeyTable }, [KeyTable])).all;
    expect(await custom?.validate('any')).toMatchObject({ authentication: { claims: { sub: 'bob' } } });
  });

  it.each<[string, Provider[]]>([
    ['nobody provides', []],
    ['is made for each request', [{ provide: KeyTable, useClass: KeyTable, scope: Scope.REQUEST }]],
  ])('says what to do about a class that %s (AUTH-13)', async (_, providers) => {
    const failure: unknown = await createChain({ validator: KeyTable }, providers).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(McpConfigurationError);
    expect(failure).toMatchObject({
      option: 'auth.validator',
      message:
        'The MCP option "auth.validator" is "KeyTable", which no module provides as a singleton: add it to the "providers" of a module',
    });
    expect((failure as Error).cause).toBeInstanceOf(Error);
  });

  it('traces what is fetched for JWTs by the provider that is for it alone (TRACE-03)', async () => {
    const traces = new RecordedTraces();
    const served = { resourceUri: RESOURCE, authorizationServers: [issuer.url] };
    const token = await issuer.token();
    const untraced = await createChain({ ...served, jwt: { jwksUrl: issuer.jwksUrl } });
    await untraced.all[0]?.validate(token);
    expect(traces.spans).toEqual([]);
    const jwt = { jwksUrl: issuer.jwksUrl, jwksTracerProvider: traces.provider };
    const traced = await createChain({ ...served, jwt });
    expect(await traced.all[0]?.validate(token)).toMatchObject({ authentication: { method: 'jwt' } });
    expect(traces.spans).toHaveLength(1);
  });
});
