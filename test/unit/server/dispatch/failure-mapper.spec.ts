import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import { FailureMapper, type MappedFailure } from '../../../../lib/server/dispatch/failure-mapper.js';
import { TimeLimitError } from '../../../../lib/server/methods/time-limit.js';
import { AuthError } from '../../../../lib/core/oauth/auth.error.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { CapturedLog } from '../../support/captured-log.js';
import { buildContext, buildPeer } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const FIXED = /^Internal error \(incident [0-9a-f]{12}\)$/;
const URI = 'desk://1';

/** What cannot even be shown without throwing again. */
const UNSHOWABLE: readonly [string, () => unknown][] = [
  ['an object without a prototype', () => Object.create(null) as unknown],
  [
    'an object that throws when it is shown',
    () => ({
      toString() {
        throw new Error('again');
      },
    }),
  ],
  [
    'an error whose message throws',
    () =>
      Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw new Error('again');
        },
      }),
  ],
  ['nothing', () => undefined],
  ['null', () => null],
  ['a symbol', () => Symbol('thrown')],
];

describe('FailureMapper', () => {
  let log: CapturedLog;
  const mapper = new FailureMapper(buildSettings());

  beforeEach(() => {
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  const textOf = (mapped: MappedFailure) =>
    'result' in mapped ? (mapped.result['content'] as { text: string }[])[0]?.text : undefined;

  describe('of a tool call', () => {
    const map = (failure: unknown, mapping = mapper) =>
      mapping.mapToolFailure(failure, buildContext('tools/call', { params: { name: 'export' } }));

    it('answers an McpError as it is (CORE-05)', () => {
      const error = new McpError(-32042, 'Approve first', { url: 'x' });
      expect(map(error)).toEqual({ error });
    });

    it.each<[string, unknown, string]>([
      ['a ToolError', new ToolError('Ticket 42 is closed'), 'Ticket 42 is closed'],
      ['an empty ToolError', new ToolError(''), ''],
      ['an AuthError', new AuthError(403, 'insufficient_scope: a'), 'insufficient_scope: a'],
      ['a time limit', new TimeLimitError(5), 'The call took longer than 5 ms and was stopped'],
      ['a 404', new NotFoundException('No such ticket'), 'No such ticket'],
      ['a 403 without a text', new ForbiddenException(), 'Forbidden'],
      ['a 503', new ServiceUnavailableException('Back soon'), 'Back soon'],
      [
        "a pipe's list",
        new BadRequestException(['a must be a number', 'b is required']),
        'a must be a number\nb is required',
      ],
      ['an exception of its own', new HttpException({ reason: 'x' }, 418), 'reason: x'],
      ['an exception without a body', new HttpException(null as never, 400), 'Http Exception'],
    ])('answers %s with a result that says so (CORE-05)', (_what, failure, text) => {
      const mapped = map(failure);
      expect(mapped).toEqual({ result: { content: [{ type: 'text', text }], isError: true } });
      expect(log.errors).toEqual([]);
    });

    it.each<[string, unknown]>([
      ['an error', new TypeError('secret at /srv/desk.js')],
      ['a text', 'secret'],
      ['an object', { secret: true }],
    ])(
      'answers %s with a fixed text and an incident id, and logs the rest (CORE-01, SAFE-04)',
      (_what, failure) => {
        const mapped = map(failure);
        expect(mapped).toMatchObject({ result: { isError: true } });
        expect(textOf(mapped)).toMatch(FIXED);
        expect(JSON.stringify(mapped)).not.toContain('secret');
        const [, incident = ''] = /incident (\w+)/.exec(textOf(mapped) ?? '') ?? [];
        expect(log.errors).toHaveLength(1);
        expect(log.errors[0]).toContain(`Incident ${incident}: `);
        expect(log.errors[0]).toContain('method="tools/call" target="export"]');
      },
    );

    it('logs the stack of an error (SAFE-04)', () => {
      map(new Error('disk on fire'));
      expect(log.errors[0]).toContain('disk on fire');
      expect(log.errors[0]).toContain('failure-mapper.spec');
    });

    it('gives each incident an id of its own (SAFE-04)', () => {
      const texts = Array.from({ length: 100 }, () => textOf(map(new Error('x'))));
      expect(new Set(texts).size).toBe(100);
    });

    it.each(UNSHOWABLE)('answers %s too (SAFE-04)', (_what, create) => {
      expect(textOf(map(create()))).toMatch(FIXED);
      expect(log.errors).toHaveLength(1);
    });

    it('shows the message where "exposeErrors" is on (MOD-11)', () => {
      const exposing = new FailureMapper(buildSettings({ exposeErrors: true }));
      expect(textOf(map(new Error('disk on fire'), exposing))).toBe('disk on fire');
      expect(textOf(map('text', exposing))).toMatch(FIXED);
      expect(log.errors).toHaveLength(2);
    });
  });

  describe('of any other method', () => {
    const map = (failure: unknown, method = 'prompts/get', version?: string) =>
      mapper.mapFailure(failure, buildContext(method, { params: { uri: URI }, peer: buildPeer(version) }));

    it('answers an McpError as it is (CORE-01)', () => {
      const error = McpError.invalidParams('x');
      expect(map(error)).toEqual({ error });
    });

    it.each([
      ['2024-11-05', -32002],
      ['2025-11-25', -32002],
      ['2026-07-28', -32602],
    ])('answers a 404 of a resource with the code of %s: %d (CORE-01)', (version, code) => {
      expect(map(new NotFoundException('No such ticket'), 'resources/read', version)).toMatchObject({
        error: { code, data: { uri: URI } },
      });
    });

    it.each<[string, unknown, string, number, string]>([
      ['a 404 of a prompt', new NotFoundException('No such day'), 'prompts/get', -32602, 'No such day'],
      ['a 404 of a completion', new NotFoundException(), 'completion/complete', -32602, 'Not Found'],
      ['a 400', new BadRequestException(['a', 'b']), 'prompts/get', -32602, 'a\nb'],
      ['a 401', new UnauthorizedException(), 'resources/read', -32602, 'Unauthorized'],
      ['an AuthError', new AuthError(401, 'Unauthorized'), 'resources/read', -32600, 'Unauthorized'],
      [
        'a time limit',
        new TimeLimitError(5),
        'resources/read',
        -32603,
        'The call took longer than 5 ms and was stopped',
      ],
    ])('answers %s with its code (CORE-01)', (_what, failure, method, code, message) => {
      expect(map(failure, method)).toMatchObject({ error: { code, message } });
      expect(log.errors).toEqual([]);
    });

    it.each<[string, () => unknown]>([
      ['an error', () => new Error('secret')],
      ['a 500', () => new InternalServerErrorException('secret')],
      ['a 503', () => new ServiceUnavailableException('secret')],
      ...UNSHOWABLE,
    ])('answers %s with -32603, a fixed text and an incident id (CORE-01, SAFE-04)', (_what, create) => {
      const mapped = map(create());
      expect(mapped).toMatchObject({ error: { code: -32603, message: expect.stringMatching(FIXED) } });
      expect(JSON.stringify(mapped)).not.toContain('secret');
      expect(log.errors).toHaveLength(1);
    });
  });

  it.each<[string, object, string]>([
    ['a name', { name: 'day' }, '"day"'],
    ['a URI', { uri: URI }, `"${URI}"`],
    ['neither', {}, '-'],
    ['a name that is no text', { name: { a: 1 } }, '-'],
  ])('logs what failed, of a request with %s (SAFE-04) (OPS-06)', (_what, params, subject) => {
    mapper.mapFailure('no paper', buildContext('prompts/get', { params }));
    expect(log.errors[0]).toMatch(/^Incident [0-9a-f]{12}: no paper \[caller=- session=- /);
    expect(log.errors[0]?.split('\n')[0]).toMatch(/ method="prompts\/get" target=.*\]$/);
    expect(log.errors[0]).toContain(` target=${subject}]`);
  });

  it('logs what not even its kind can be asked of, with an incident for the caller (SAFE-04)', () => {
    const refuse = (): never => {
      throw new Error('again');
    };
    const untouchable = new Proxy({}, { get: refuse, getPrototypeOf: refuse });
    const { code, message } = mapper.mapUnreadable(untouchable, buildContext('prompts/get'));
    expect([code, FIXED.test(message)]).toEqual([-32603, true]);
    expect(log.errors[0]).toMatch(/: the thrown value cannot be shown \[.* method="prompts\/get" target=-\]/);
  });

  it('logs that something was thrown which cannot be shown (SAFE-04)', () => {
    mapper.mapFailure(Object.create(null), buildContext('prompts/get'));
    expect(log.errors[0]).toMatch(/: the thrown value cannot be shown \[.* method="prompts\/get" target=-\]/);
  });

  it('logs no more than the beginning of what a caller sent (SAFE-01)', () => {
    mapper.mapFailure(new Error('x'), buildContext('prompts/get', { params: { name: 'n'.repeat(100_000) } }));
    expect(log.errors[0]!.split('\n')[0]!.length).toBeLessThan(400);
  });
});
